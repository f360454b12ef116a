// Owns the time that runs on between two updates. Only this is drawn each second, not its card.
import { useEffect, useState } from "preact/hooks";
import { page } from "./page";

/** Milliseconds since 1970, once a second while `runs`. */
export function useNow(runs: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!runs) return;
    setNow(Date.now());
    return page.everySecond(setNow);
  }, [runs]);
  return runs ? Math.max(now, 0) : now;
}

/** Such as "0:41" or "1:02:03". */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (part: number) => String(part).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  const rest = two(whole % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

/** `elapsed` seconds at `since`, and on from there while it `runs`. */
export function Clock({ elapsed, since, runs }: { elapsed: number; since: number; runs: boolean }) {
  const now = useNow(runs);
  return <span class="lzu-clock">{clock(elapsed + (runs ? Math.max(0, now - since) / 1000 : 0))}</span>;
}
