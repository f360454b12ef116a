// Owns how a component finds the view that it is drawn in. It holds no state.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { View } from "./view";

export const ViewContext = createContext<View | null>(null);

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === null) throw new Error("drawn outside of a view");
  return view;
}
