// Owns the icons of the panels, drawn in the theme's colour. It holds no state.
import type { LabIcon, Ui } from "./jupyter";
import type { Place } from "./research";

/** Paths on a ground of 16 by 16, drawn as lines. */
const PATHS: Record<Place, string> = {
  research: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4 14 14M5 7h4",
  side: "M2 3h12v8H8l-3 3v-3H2zM6.3 5.8a1.7 1.7 0 1 1 2.3 1.6q-.6.3-.6.9M8 9.5v.2",
  timing: "M2 3.5h5M5 8h6M9 12.5h5",
};

export function iconOf({ LabIcon }: Ui, place: Place): LabIcon {
  const lines = `<path class="jp-icon3" stroke="#616161" stroke-width="1.5" stroke-linejoin="round" d="${PATHS[place]}"/>`;
  return new LabIcon({
    name: `lazyboy-jupyter:${place}`,
    svgstr: `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none">${lines}</svg>`,
  });
}
