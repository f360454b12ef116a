// Owns a long text that is cut until the person wants all of it. It cuts only what is shown.
import { useView } from "./context";
import { trans } from "./words";

export function Clamp({ text, k, most }: { text: string; k: string; most: number }) {
  const { session } = useView();
  if (text.length <= most) return <span dir="auto">{text}</span>;
  const all = session.open.has(`all:${k}`);
  const cut = [...text.slice(0, most)].slice(0, -1).join("").trimEnd();
  return (
    <span>
      <span dir="auto">{all ? text : `${cut}…`}</span>{" "}
      <button type="button" data-k={`all:${k}`} class="lzu-b text" aria-expanded={all} onClick={() => session.toggle(`all:${k}`)}>
        {all ? trans.__("less") : trans.__("more")}
      </button>
    </span>
  );
}
