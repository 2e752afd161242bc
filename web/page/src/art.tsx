/** What is drawn with lines and colours of our own: patterns of water, wood and paper, signs, and small pictures. */

/** A pattern's name, its size, its ground, and its lines: colours are those of the style sheet. */
const PATTERNS: [name: string, width: number, height: number, lines: string][] = [
  ["deep", 48, 24, "M2 7q6-5 12 0t12 0M26 19q6-5 12 0t8 0"],
  ["back", 16, 16, "M0 6q4-5 8 0t8 0M0 14q4-5 8 0t8 0"],
  ["land", 44, 40, "M8 16v-6M11 16l2-7M5 16l-2-5M30 34v-6M33 34l2-6M27 34l-2-5"],
  ["card", 10, 10, "M0 5 5 0l5 5-5 5z"],
];

/** Patterns that the style sheet paints scenes with; once on a page. */
export function Patterns() {
  return (
    <svg class="hidden patterns" aria-hidden="true" focusable="false">
      <defs>
        {PATTERNS.map(([name, width, height, lines]) => (
          <pattern key={name} id={`art-${name}`} width={width} height={height} patternUnits="userSpaceOnUse">
            <rect width={width} height={height} style={{ fill: `var(--${name})` }} />
            <path d={lines} style={{ stroke: `var(--${name}-line)` }} />
          </pattern>
        ))}
      </defs>
    </svg>
  );
}

const CARD = "R card 8 3 24 34 4";
export const MEEPLE = "M-4-4a5 5 0 1 1 8 0l7 4v4l-5 .5L9 11H2L0 7.5-2 11h-7l3-6.5-5-.5V0z";
const PIECE = "M14 13a7.5 7.5 0 1 1 12 0l10.5 6v6l-7.5.7 4.5 9.8H23L20 30.3l-3 5.2H6.5L11 25.7 3.5 25v-6z";

/**
 * Signs in a box of 40, part by part, in the classes of scenes: R a rectangle (x y w h r), C a circle (x y r), P a
 * polygon, D a path, T a text in the middle.
 */
const SIGNS: Record<string, string> = {
  kelp: "P kelp 20,4 28,12 24,19 32,26 20,38 8,26 16,18 12,12",
  log: "R log 3 11 34 19 9; C log 28 20.5 6",
  coin: "C coin 20 20 16; C coin 20 20 8",
  back: "R back 3 6 34 28 4",
  tile: "R tile 3 6 34 28 4; P kelp 14,10 18,14 16,18 20,22 14,29 8,22 12,18 10,14; C coin 27 20 6",
  eye: "P eye 3,20 12,11 28,11 37,20 28,29 12,29; C pupil 20 20 6",
  me: `D seat0 ${PIECE}`,
  you: `D seat1 ${PIECE}`,
  she: `D seat3 ${PIECE}`,
  to: "P arrow 6,15 22,15 22,8 35,20 22,32 22,25 6,25",
  ask: "R mark 3 6 34 22 7; P mark 11,28 21,28 11,36; T text ?",
  card: `${CARD}; P red 20,11 26,20 20,29 14,20`,
  cardback: "R cardback 8 3 24 34 4",
  ace: `${CARD}; T black A`,
  rat: `${CARD}; T red K`,
  joker: "R joker 8 3 24 34 4; P coin 20,9 23,17 31,17 25,22 27,30 20,25 13,30 15,22 9,17 17,17",
  track: "R kelp 2 14 8 12 2; R kelp 11 14 8 12 2; R kelp 20 14 8 12 2; R slot 29 14 8 12 2",
  debt: "R salmon 2 13 6 14 2; R salmon 9 13 6 14 2; R salmon 16 13 6 14 2; R slot 23 13 6 14 2; R slot 30 13 6 14 2",
  salmon: "C salmon 20 20 16; D onseat M20 8q7 8 0 17-7-9 0-17m0 16 6 7H14z",
  eel: "R eel 5 5 30 30 7; D eelback M20 9q7 5 0 11t0 12",
  bear: "C bear 10 10 6; C bear 30 10 6; C bear 20 22 14; C onseat 15 19 2.5; C onseat 25 19 2.5; C onseat 20 28 3.5",
  token: "C token 20 20 16; T text 2",
  nest: "R bank 2 10 36 22 10; C salmon 14 21 7; C salmon 27 21 7",
  die: "R blue 4 4 32 32 7; C pipdark 11 11 3.5; C pipdark 20 20 3.5; C pipdark 29 29 3.5",
  green: "R green 4 4 32 32 7; C pipdark 13 13 3.5; C pipdark 27 27 3.5",
  fire: "P fire 20,3 27,14 31,10 33,26 27,37 13,37 7,26 14,16",
  ship: "P here 2,22 38,22 32,34 8,34; R here 10 12 20 10 0; R here 17 4 7 8 0",
  row: "R slot 2 14 11 11 2; R slot 14 14 11 11 2; R crown 27 14 11 11 2; D cross M4 16l7 7m0-7-7 7m9.5-7 7 7m0-7-7 7",
  village: "R row 8 18 24 18 0; P fire 4,19 20,5 36,19; R slot 16 24 8 12 0",
  crown: "P crown 4,32 4,12 13,20 20,7 27,20 36,12 36,32",
};

function Part({ written }: { written: string }) {
  const [kind, look, ...rest] = written.split(" ");
  const [x, y, w, h, r] = rest;
  if (kind === "R") return <rect class={look} x={x} y={y} width={w} height={h} rx={r} />;
  if (kind === "C") return <circle class={look} cx={x} cy={y} r={w} />;
  if (kind === "P") return <polygon class={look} points={rest.join(" ")} />;
  if (kind === "D") return <path class={look} d={rest.join(" ")} />;
  return (
    <text class={`${look} bold`} x="20" y={look === "text" ? 26 : 27} font-size="18" text-anchor="middle">
      {x}
    </text>
  );
}

function Parts({ name }: { name: string }) {
  return (
    <>
      {SIGNS[name]?.split("; ").map((written) => (
        <Part key={written} written={written} />
      ))}
    </>
  );
}

/** Signs in a row, named with spaces between. */
export function Signs({ names }: { names: string }) {
  return (
    <span class="signs">
      {names.split(" ").map((name, place) => (
        <svg key={place} class="rb-scene sign" viewBox="0 0 40 40" aria-hidden="true" focusable="false">
          <Parts name={name} />
        </svg>
      ))}
    </span>
  );
}

const COVERS: Record<string, string> = {
  riverbed_hunt: "me:32,74 back:62,30 tile:104,62 back:146,30 back:188,66 you:166,82 kelp:118,12 coin:206,24 log:24,22",
  river_rats: "cardback:36,26 rat:70,24 card:104,26 ace:138,28 joker:172,28 debt:112,78 debt:60,78",
  deep_river: "nest:20,18 salmon:62,46 token:104,22 bear:128,66 eel:164,34 nest:206,76 token:30,76",
  riverside: "village:34,10 village:120,8 village:196,16 ship:78,46 die:132,56 green:172,76 fire:206,62 row:34,80",
};
const COURSE = "M-10 34C60 4 90 66 130 62s70-50 130-16M-10 100q40 20 80 0";

/** The picture of a game in the lobby: its pieces on a river. */
export function Cover({ game }: { game: string }) {
  const things = (COVERS[game.replace(/_v\d+$/, "")] ?? "ship:110,46").split(" ");
  return (
    <svg class="rb-scene cover" viewBox="0 0 250 124" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect class="land" width="250" height="124" />
      <path class="shore thin" d={COURSE} />
      <path class="deep thin" d={COURSE} />
      {things.map((thing) => {
        const [name, at] = thing.split(":") as [string, string];
        return (
          <g key={thing} transform={`translate(${at})`}>
            <Parts name={name} />
          </g>
        );
      })}
    </svg>
  );
}
