/** The boards of a step as a picture file, with the looks that they have on the page. */

const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity"];
const OF_TEXTS = ["font-family", "font-size", "font-weight", "text-anchor"];
const SVG = "http://www.w3.org/2000/svg";
const SCALE = 2; // pixels of a PNG for each unit of a drawing

/** A copy whose elements carry their own looks, so that it needs no style sheet. */
function dressed(drawing: Element): Element {
  const copy = drawing.cloneNode(true) as Element;
  const copies = [copy, ...copy.querySelectorAll("*")];
  [drawing, ...drawing.querySelectorAll("*")].forEach((element, place) => {
    const style = getComputedStyle(element);
    const part = copies[place]!;
    const looks = element.tagName === "text" ? [...LOOKS, ...OF_TEXTS] : LOOKS;
    set(part, Object.fromEntries(looks.map((name) => [name, style.getPropertyValue(name)])));
    if (element.tagName === "g" && style.transform !== "none") part.setAttribute("transform", style.transform);
    for (const name of ["style", "class"]) part.removeAttribute(name);
  });
  return copy;
}

function set(element: Element, values: Record<string, string | number>): Element {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value));
  return element;
}

/** All boards, one below the other, as SVG. */
function boards(): { text: string; width: number; height: number } {
  const whole = document.createElementNS(SVG, "svg");
  const patterns = document.querySelector(".patterns defs");
  if (patterns) whole.append(dressed(patterns));
  let [width, height] = [0, 0];
  for (const drawing of document.querySelectorAll<SVGSVGElement>(".boards .rb-scene svg")) {
    const box = drawing.viewBox.baseVal;
    whole.append(set(dressed(drawing), { y: height, width: box.width, height: box.height }));
    [width, height] = [Math.max(width, box.width), height + box.height];
  }
  set(whole, { width, height, viewBox: `0 0 ${width} ${height}` });
  return { text: new XMLSerializer().serializeToString(whole), width, height };
}

function download(address: string, name: string) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** Let the reader save what the boards show now. */
export async function savePicture(kind: "svg" | "png", name: string) {
  const { text, width, height } = boards();
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  if (kind === "svg") return download(address, `${name}.svg`);
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SCALE * width, SCALE * height];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return download(canvas.toDataURL("image/png"), `${name}.png`);
}
