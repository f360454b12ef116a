// Owns the budget meters. The numbers are Python's; only the time runs on between two updates.
import { useNow } from "./Clock";
import type { Meter } from "./model";
import { trans } from "./words";

interface Props {
  meters: Meter[];
  of: string;
  since: number;
  runs: boolean;
}

export function Meters({ meters, of, since, runs }: Props) {
  if (meters.length === 0) return null;
  return (
    <div class="lzu-meters-box">
      {of && <div class="lzu-meters-of">{of}</div>}
      <div class="lzu-meters">
        {meters.map((meter) => <Bar key={meter.label} meter={meter} since={since} runs={runs && meter.unit === "s"} />)}
      </div>
    </div>
  );
}

export function Bar({ meter, since, runs }: { meter: Meter; since: number; runs: boolean }) {
  const now = useNow(runs);
  const { label, total, unit } = meter;
  const used = Math.min(meter.used + (runs ? Math.max(0, now - since) / 1000 : 0), total);
  const words = `${trans.__("%1 of %2", Math.floor(used), total)}${unit ? ` ${unit}` : ""}`;
  const share = total > 0 ? used / total : 1;
  return (
    <div class={`lzu-m${share >= 1 ? " full" : ""}${unit === "s" ? " ticks" : ""}`} role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={total || 1}
      aria-valuenow={Math.floor(used)} aria-valuetext={words}>
      <div class="lzu-m-words" aria-hidden="true"><b>{label}</b> <span>{words}</span></div>
      <div class="lzu-bar"><i style={{ transform: `scaleX(${Math.round(share * 1000) / 1000})` }} /></div>
    </div>
  );
}
