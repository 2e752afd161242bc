/** Small changes to words that come from the library. */

import type { Event, View } from "./frame";
import type { Seat } from "./messages";

type Named = Pick<Seat, "seat" | "kind" | "name">;

/** Names of seats in texts: a person's own name if no other has it, else "player 2". */
export function seatNames(seats: Named[]): string[] {
  const named = (seat: Named) => seat.kind === "person" && seat.name && !/^player_\d+$/.test(seat.name);
  const persons = seats.filter(named).map((seat) => seat.name);
  return seats.map((seat) =>
    named(seat) && persons.filter((name) => name === seat.name).length === 1 ? seat.name : `player ${seat.seat}`,
  );
}

/** A text with the names of the seats in place of `player_N`, and with words between the layers of a tile. */
export function withNames(text: string, names: string[]): string {
  return text.replaceAll(" | ", ", then ").replace(/\b([Pp])layer_(\d+)/g, (_, first: string, seat: string) => {
    const name = names[Number(seat)] ?? `player ${seat}`;
    return first === "P" ? capital(name) : name;
  });
}

/** A text that begins with a capital. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whose eyes a view is for, in words. */
export function eyes(view: View, names: string[]): string {
  if (view === "truth") return "The truth";
  return view === "public" ? "What everybody knew" : capital(names[view] ?? `player ${view}`);
}

/** An option's name in words: "num_looks" is "num looks". */
export function spaced(name: string): string {
  return capital(name.replaceAll("_", " "));
}

/** An agent's spec as a name: "student_lookahead:worlds=128" is "student lookahead". */
export function agentWords(spec: string): string {
  return spec.split(":", 1)[0]!.replaceAll("_", " ");
}

/** Deep River's pawns as what they are: of the side that the text names first, or of who is asked; else of either. */
export function fishNamed(text: string, asked: number | null): string {
  const named = /\b(salmon|eel)s?\b/.exec(text)?.[1];
  const either = "salmon or eel";
  const own = named ?? ["salmon", "eel"][asked ?? -1] ?? either;
  return text
    .replace(/\brival pawn\b/g, "rival")
    .replace(/\b(the|this)( single| double)? (pawn|fish)\b/g, `$1$2 ${own}`)
    .replace(/\ba( single| double)? (pawn|fish)\b/g, `a$1 ${named ?? either}`)
    .replace(/\ba eel\b/g, "an eel")
    .replace(/\bpawns\b/g, "salmon or eels");
}

/** A sentence of the rules without its references to other rules, which say nothing to a newcomer. */
export function withoutReferences(sentence: string): string {
  return sentence.replace(/ \([A-Z]{2}-\d+\.\d+\)/g, "");
}

/** An event in words. What somebody said in their own words stays as they said it. */
export function told(event: Event, names: (text: string) => string): string {
  const quoted = event.kind === "say_text" ? event.text.indexOf(": ") : -1;
  if (quoted < 0) return capital(names(event.text));
  return capital(names(event.text.slice(0, quoted))) + event.text.slice(quoted);
}
