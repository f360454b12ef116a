// Owns a button of the card. Its `k` names it for the next view, so that the focus can be taken up.
import type { ComponentChildren } from "preact";

interface Props {
  k: string;
  act: () => void;
  children: ComponentChildren;
  kind?: "primary" | "plain" | "text" | "danger";
  disabled?: boolean;
  title?: string;
  label?: string;
  expanded?: boolean;
  controls?: string;
  popup?: "menu";
}

export function Button({ k, act, children, kind = "plain", disabled = false, title, label, expanded, controls, popup }: Props) {
  return (
    <button
      type="button" data-k={k} class={`lzu-b ${kind}`} title={title} aria-label={label} aria-disabled={disabled || undefined}
      aria-expanded={expanded} aria-controls={expanded ? controls : undefined} aria-haspopup={popup}
      onClick={() => {
        // A disabled button would drop the focus; this one keeps it and does nothing.
        if (!disabled) act();
      }}
    >
      {children}
    </button>
  );
}
