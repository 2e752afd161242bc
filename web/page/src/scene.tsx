/** Draws the panels of any scene as SVG; knows shapes, and nothing of games. */

import { counts } from "./controls";
import type { Panel, Shape, Text } from "./frame";

/** What a scene can be asked to do: `choose` gets the actions that the clicked shape stands for. */
export type Board = {
  names: (text: string) => string;
  describe: (actions: number[]) => string;
  choose: ((actions: number[]) => void) | null;
  hot: number[];
  warm: (actions: number[]) => void;
  advised: number | null; // the action that a hint names
  changed: Set<string>; // ids of what looks different from the frame before
};

const SIGN_WIDTH = 0.56; // of a sign in an average text, in its font's size; where nothing can measure it
const BOLD_WIDTH = 0.6;

const measured = new Map<string, number>();
let pen: CanvasRenderingContext2D | null | undefined;

/** How wide a text is at size 1, in the page's own font. */
function widthOf(text: string, bold: boolean): number {
  const name = `${bold ? "b" : "n"}${text}`;
  const known = measured.get(name);
  if (known !== undefined) return known;
  if (pen === undefined && typeof document !== "undefined") {
    pen = document.createElement("canvas").getContext("2d");
  }
  if (!pen) return text.length * (bold ? BOLD_WIDTH : SIGN_WIDTH);
  pen.font = `${bold ? "600" : "400"} 100px ${getComputedStyle(document.body).fontFamily}`;
  const width = pen.measureText(text).width / 100;
  if (measured.size > 5000) measured.clear();
  measured.set(name, width);
  return width;
}

/** The size at which a text fits the width that it may take. */
export function fittingSize(shape: Text, text: string): number {
  if (!shape.w || !text) return shape.size;
  const wide = widthOf(text, shape.class.split(" ").includes("bold"));
  return wide * shape.size <= shape.w ? shape.size : Math.floor((10 * shape.w) / wide) / 10;
}

function pairs(points: number[]): string {
  return points.map((value, place) => (place % 2 ? `${value}` : ` ${value},`)).join("");
}

const BEND = 54; // the radius in which a river turns

/** A river's course through points, some in a line with each other: straight, and round where it turns. */
function course(points: number[]): string {
  const all = Array.from({ length: points.length / 2 }, (_, at) => [points[2 * at]!, points[2 * at + 1]!] as const);
  const corners = all.filter(([x, y], at) => {
    const [before, next] = [all[at - 1], all[at + 1]];
    return !before || !next || (x - before[0]) * (next[1] - y) !== (y - before[1]) * (next[0] - x);
  });
  return corners.reduce((path, [x, y], at) => {
    const [before, next] = [corners[at - 1], corners[at + 1]];
    if (!before) return `M${x} ${y}`;
    if (!next) return `${path}L${x} ${y}`;
    const towards = ([otherX, otherY]: readonly [number, number]) => {
      const far = Math.hypot(otherX - x, otherY - y);
      return `${x + ((otherX - x) * BEND) / far} ${y + ((otherY - y) * BEND) / far}`;
    };
    const sweep = (x - before[0]) * (next[1] - y) > (y - before[1]) * (next[0] - x) ? 1 : 0;
    return `${path}L${towards(before)}A${BEND} ${BEND} 0 0 ${sweep} ${towards(next)}`;
  }, "");
}

/** What makes a shape a button, a picture with a label, or decoration. Within either, parts have no role of their own. */
function role(shape: Shape, board: Board, within: boolean) {
  const { choose } = board;
  const actions = shape.choices;
  if (actions?.length && choose) {
    const label = [shape.label && board.names(shape.label), board.describe(actions)].filter(Boolean).join(": ");
    return {
      role: "button" as const,
      tabindex: 0,
      "aria-label": label,
      "data-choices": actions.join(" "),
      onClick: (event: MouseEvent) => counts(event, board.describe(actions)) && choose(actions),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(actions);
      },
      onMouseEnter: () => board.warm(actions),
      onMouseLeave: () => board.warm([]),
      onFocus: () => board.warm(actions),
      onBlur: () => board.warm([]),
    };
  }
  if (within || !shape.label) return {};
  const role = choose && holdsChoice(shape) ? ("group" as const) : ("img" as const);
  return { role, "aria-label": board.names(shape.label) };
}

/** Whether something within a shape can be clicked. */
function holdsChoice(shape: Shape): boolean {
  return shape.kind === "group" && shape.shapes.some((part) => part.choices?.length || holdsChoice(part));
}

function Drawn({ shape, board, within }: { shape: Shape; board: Board; within: boolean }) {
  const active = Boolean(shape.choices?.length && board.choose);
  const said = role(shape, board, within);
  const hot = active && shape.choices?.some((action) => board.hot.includes(action));
  const hinted = active && board.advised !== null && shape.choices?.includes(board.advised);
  const classes = `${shape.class}${hot ? " hot" : ""}${hinted ? " advised" : ""}${board.changed.has(shape.id) ? " changed" : ""}`;
  const title = shape.label && !within ? <title>{board.names(shape.label)}</title> : null;
  const common = { class: classes, "data-id": shape.id, ...said, children: title };
  switch (shape.kind) {
    case "rect":
      return <rect {...common} x={shape.x} y={shape.y} width={shape.w} height={shape.h} rx={shape.r ?? 0} />;
    case "circle":
      return <circle {...common} cx={shape.x} cy={shape.y} r={shape.r} />;
    case "polygon":
      return <polygon {...common} points={pairs(shape.points)} />;
    case "line":
      if (/^(deep|shore)$/.test(shape.class)) return <path {...common} d={course(shape.points)} />;
      return <polyline {...common} points={pairs(shape.points)} />;
    case "text": {
      const text = board.names(shape.text);
      return (
        <text
          {...common}
          x={shape.x}
          y={shape.y}
          font-size={fittingSize(shape, text)}
          text-anchor={shape.anchor ?? "start"}
        >
          {text}
        </text>
      );
    }
    case "group":
      return (
        <g {...common} style={{ transform: `translate(${shape.x}px, ${shape.y}px)` }}>
          {title}
          <Shapes
            shapes={shape.shapes}
            board={board}
            within={within || (said.role !== undefined && said.role !== "group")}
          />
        </g>
      );
  }
}

/** Shapes by id: one that stays keeps its element, so that a change of its place is a movement. */
function Shapes({ shapes, board, within }: { shapes: Shape[]; board: Board; within: boolean }) {
  return (
    <>
      {shapes.map((shape) => (
        <Drawn key={shape.id} shape={shape} board={board} within={within} />
      ))}
    </>
  );
}

type PictureProps = { panel: Panel; board: Board; folded?: boolean };

/** A panel of a scene under its title. */
export function PanelPicture({ panel, board, folded }: PictureProps) {
  const id = `panel-${panel.id}`;
  const title = board.names(panel.title);
  const picture = (
    <div class="rb-scene" style={{ "--natural": `${panel.width}px` }}>
      <svg viewBox={`0 0 ${panel.width} ${panel.height}`} role="group" aria-label={board.names(panel.label)}>
        <Shapes shapes={panel.shapes} board={board} within={false} />
      </svg>
    </div>
  );
  if (folded) {
    return (
      <details class="panel picture" data-panel={panel.id}>
        <summary>
          {title}
          <span class="small"> {/^\D*\d+ points[^,]*/.exec(board.names(panel.label))?.[0].split(": ")[1]}</span>
        </summary>
        {picture}
      </details>
    );
  }
  return (
    <section class={`panel picture ${panel.place}`} aria-labelledby={id} data-panel={panel.id}>
      <h2 id={id}>{title}</h2>
      {picture}
    </section>
  );
}
