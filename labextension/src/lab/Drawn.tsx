// Owns drawing a session in a panel, as in a cell. It holds no state.
import { useEffect, useRef } from "preact/hooks";
import type { Session } from "../ui/session";
import { View } from "../ui/view";

export function Drawn({ session, openTask }: { session: Session; openTask?: (taskId: string) => void }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const view = new View(session, host.current, openTask ?? null);
    return () => view.dispose();
  }, [session, openTask]);
  return <div class="lzl-drawn" ref={host} />;
}
