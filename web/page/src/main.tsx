/** The page: a replay if it carries one, else a table or the lobby, by its path. */

import { render } from "preact";
import { LOBBY, takeKeys } from "./keys";
import { Lobby } from "./lobby";
import { ReplayPage } from "./replay";
import "./style.css";
import { TablePage } from "./table";
import { dress } from "./theme";
import type { ReplayFile } from "./unpack";

function Page() {
  const carried = document.getElementById("replay");
  if (carried) return <ReplayPage file={JSON.parse(carried.textContent ?? "") as ReplayFile} />;
  const table = window.location.pathname.match(/^\/table\/([^/]+)$/)?.[1];
  const keys = takeKeys(table ?? LOBBY);
  return table ? <TablePage id={table} keys={keys} /> : <Lobby />;
}

dress();
window.addEventListener("hashchange", () => window.location.reload());
render(<Page />, document.getElementById("page")!);
