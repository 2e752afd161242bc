/** What is drawn with lines and colours of our own: patterns of water, wood and paper, signs, and small pictures. */

import type { ComponentChildren } from "preact";

/** Patterns that the style sheet paints scenes with; once on a page. */
export function Patterns() {
  return (
    <svg class="patterns" aria-hidden="true" focusable="false">
      <defs>
        <pattern id="art-deep" width="48" height="24" patternUnits="userSpaceOnUse">
          <rect class="deep-ground" width="48" height="24" />
          <path class="ripple" d="M2 7q6-5 12 0t12 0M26 19q6-5 12 0t8 0" />
        </pattern>
        <pattern id="art-back" width="16" height="16" patternUnits="userSpaceOnUse">
          <rect class="back-ground" width="16" height="16" />
          <path class="weave" d="M0 6q4-5 8 0t8 0M0 14q4-5 8 0t8 0" />
        </pattern>
        <pattern id="art-land" width="44" height="40" patternUnits="userSpaceOnUse">
          <rect class="land-ground" width="44" height="40" />
          <path class="reed" d="M8 16v-6M11 16l2-7M5 16l-2-5M30 34v-6M33 34l2-6M27 34l-2-5" />
        </pattern>
        <pattern id="art-card" width="10" height="10" patternUnits="userSpaceOnUse">
          <rect class="card-ground" width="10" height="10" />
          <path class="lattice" d="M0 5 5 0l5 5-5 5z" />
        </pattern>
      </defs>
    </svg>
  );
}

const MEEPLE = "M-4-4a5 5 0 1 1 8 0l7 4v4l-5 .5L9 11H2L0 7.5-2 11h-7l3-6.5-5-.5V0z";

/** Signs in a box of 40, in the classes of scenes. */
const SIGNS: Record<string, ComponentChildren> = {
  kelp: <polygon class="kelp" points="20,4 28,12 24,19 32,26 20,38 8,26 16,18 12,12" />,
  log: (
    <>
      <rect class="log" x="3" y="11" width="34" height="19" rx="9" />
      <circle class="log" cx="28" cy="20.5" r="6" />
    </>
  ),
  coin: (
    <>
      <circle class="coin" cx="20" cy="20" r="16" />
      <circle class="coin" cx="20" cy="20" r="8" />
    </>
  ),
  back: <rect class="back" x="3" y="6" width="34" height="28" rx="4" />,
  tile: (
    <>
      <rect class="tile" x="3" y="6" width="34" height="28" rx="4" />
      <polygon class="kelp" points="14,10 18,14 16,18 20,22 14,29 8,22 12,18 10,14" />
      <circle class="coin" cx="27" cy="20" r="6" />
    </>
  ),
  eye: (
    <>
      <polygon class="eye" points="3,20 12,11 28,11 37,20 28,29 12,29" />
      <circle class="pupil" cx="20" cy="20" r="6" />
    </>
  ),
  me: <path class="seat0" transform="translate(20 19) scale(1.5)" d={MEEPLE} />,
  you: <path class="seat1" transform="translate(20 19) scale(1.5)" d={MEEPLE} />,
  she: <path class="seat3" transform="translate(20 19) scale(1.5)" d={MEEPLE} />,
  to: <polygon class="arrow" points="6,15 22,15 22,8 35,20 22,32 22,25 6,25" />,
  ask: (
    <>
      <rect class="mark" x="3" y="6" width="34" height="22" rx="7" />
      <polygon class="mark" points="11,28 21,28 11,36" />
      <text class="text bold" x="20" y="23" font-size="16" text-anchor="middle">
        ?
      </text>
    </>
  ),
  card: (
    <>
      <rect class="card" x="8" y="3" width="24" height="34" rx="4" />
      <polygon class="red" points="20,11 26,20 20,29 14,20" />
    </>
  ),
  cardback: <rect class="cardback" x="8" y="3" width="24" height="34" rx="4" />,
  ace: (
    <>
      <rect class="card" x="8" y="3" width="24" height="34" rx="4" />
      <text class="black bold" x="20" y="27" font-size="20" text-anchor="middle">
        A
      </text>
    </>
  ),
  rat: (
    <>
      <rect class="card" x="8" y="3" width="24" height="34" rx="4" />
      <text class="red bold" x="20" y="27" font-size="20" text-anchor="middle">
        K
      </text>
    </>
  ),
  joker: (
    <>
      <rect class="joker" x="8" y="3" width="24" height="34" rx="4" />
      <polygon class="coin" points="20,9 23,17 31,17 25,22 27,30 20,25 13,30 15,22 9,17 17,17" />
    </>
  ),
  track: (
    <>
      {[0, 1, 2, 3].map((at) => (
        <rect key={at} class={at < 3 ? "kelp" : "slot"} x={2 + at * 9.5} y="14" width="8" height="12" rx="2" />
      ))}
    </>
  ),
  debt: (
    <>
      {[0, 1, 2, 3, 4].map((at) => (
        <rect key={at} class={at < 3 ? "salmon" : "slot"} x={2 + at * 7.5} y="13" width="6" height="14" rx="2" />
      ))}
    </>
  ),
  salmon: (
    <>
      <circle class="salmon" cx="20" cy="20" r="16" />
      <path class="fish" d="M20 8q7 8 0 17-7-9 0-17m0 16 6 7H14z" />
    </>
  ),
  eel: (
    <>
      <rect class="eel" x="5" y="5" width="30" height="30" rx="7" />
      <path class="eelback" d="M20 9q7 5 0 11t0 12" />
    </>
  ),
  bear: (
    <>
      <circle class="bear" cx="10" cy="10" r="6" />
      <circle class="bear" cx="30" cy="10" r="6" />
      <circle class="bear" cx="20" cy="22" r="14" />
      <circle class="onseat" cx="15" cy="19" r="2.5" />
      <circle class="onseat" cx="25" cy="19" r="2.5" />
      <circle class="onseat" cx="20" cy="28" r="3.5" />
    </>
  ),
  token: (
    <>
      <circle class="token" cx="20" cy="20" r="16" />
      <text class="text bold" x="20" y="27" font-size="20" text-anchor="middle">
        2
      </text>
    </>
  ),
  nest: (
    <>
      <rect class="bank" x="2" y="10" width="36" height="22" rx="10" />
      <circle class="salmon" cx="14" cy="21" r="7" />
      <circle class="salmon" cx="27" cy="21" r="7" />
    </>
  ),
  die: (
    <>
      <rect class="blue" x="4" y="4" width="32" height="32" rx="7" />
      {[11, 20, 29].map((at) => (
        <circle key={at} class="pipdark" cx={at} cy={at} r="3.5" />
      ))}
    </>
  ),
  green: (
    <>
      <rect class="green" x="4" y="4" width="32" height="32" rx="7" />
      <circle class="pipdark" cx="13" cy="13" r="3.5" />
      <circle class="pipdark" cx="27" cy="27" r="3.5" />
    </>
  ),
  fire: <polygon class="fire" points="20,3 27,14 31,10 33,26 27,37 13,37 7,26 14,16" />,
  ship: (
    <>
      <polygon class="here" points="2,22 38,22 32,34 8,34" />
      <rect class="here" x="10" y="12" width="20" height="10" />
      <rect class="here" x="17" y="4" width="7" height="8" />
    </>
  ),
  row: (
    <>
      {[0, 1, 2].map((at) => (
        <rect key={at} class={at === 2 ? "crown" : "slot"} x={2 + at * 12.5} y="14" width="11" height="11" rx="2" />
      ))}
      <path class="cross" d="M4 16l7 7m0-7-7 7m9.5-7 7 7m0-7-7 7" />
    </>
  ),
  village: (
    <>
      <rect class="row" x="8" y="18" width="24" height="18" />
      <polygon class="fire" points="4,19 20,5 36,19" />
      <rect class="slot" x="16" y="24" width="8" height="12" />
    </>
  ),
  crown: <polygon class="crown" points="4,32 4,12 13,20 20,7 27,20 36,12 36,32" />,
};

export function Sign({ name }: { name: string }) {
  return (
    <svg class="rb-scene sign" viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      {SIGNS[name]}
    </svg>
  );
}

/** Signs in a row, named with spaces between. */
export function Signs({ names }: { names: string }) {
  return (
    <span class="signs">
      {names.split(" ").map((name, place) => (
        <Sign key={place} name={name} />
      ))}
    </span>
  );
}

const COVERS: Record<string, string> = {
  riverbed_hunt: "me:32,78 back:62,30 tile:104,62 back:146,30 back:188,66 you:170,92 kelp:118,12 coin:206,24 log:24,22",
  river_rats: "cardback:36,26 rat:70,24 card:104,26 ace:138,28 joker:172,28 debt:112,78 debt:60,78",
  deep_river: "nest:20,18 salmon:62,46 token:104,22 bear:128,66 eel:164,34 nest:206,76 token:30,76",
  riverside: "village:34,10 village:120,8 village:196,16 ship:78,46 die:132,56 green:172,76 fire:206,62 row:34,80",
};

/** The picture of a game in the lobby: its pieces on a river. */
export function Cover({ game }: { game: string }) {
  const things = (COVERS[game.replace(/_v\d+$/, "")] ?? "ship:110,46").split(" ");
  return (
    <svg class="rb-scene cover" viewBox="0 0 250 124" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect class="land" width="250" height="124" />
      <path class="shore thin" d="M-10 34C60 4 90 66 130 62s70-50 130-16M-10 100q40 20 80 0" />
      <path class="deep thin" d="M-10 34C60 4 90 66 130 62s70-50 130-16M-10 100q40 20 80 0" />
      {things.map((thing) => {
        const [name, at] = thing.split(":") as [string, string];
        return (
          <g key={thing} transform={`translate(${at})`}>
            {SIGNS[name]}
          </g>
        );
      })}
    </svg>
  );
}
