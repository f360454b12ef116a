// Owns a published guide: summary, sections of claims, what stays unknown, what was read and what was not.
import { ClaimText } from "./ClaimText";
import type { Guide, Section } from "./model";
import { SafeLink } from "./SafeLink";
import { Tag } from "./Tag";
import { trans } from "./words";

export function GuideView({ guide, ended }: { guide: Guide; ended: boolean }) {
  return (
    <div class="lzu-guide">
      <div class="lzu-summary">
        {guide.lead ? <ClaimText claim={guide.lead} text={guide.summary} /> : <p class="lzu-text" dir="auto">{guide.summary}</p>}
      </div>
      {guide.sections.map((section) => <Claims key={section.key} section={section} />)}
      {guide.unknowns.length > 0 && (
        <section>
          <h4>{trans.__("Unknown")}</h4>
          <ul class="lzu-unknowns">{guide.unknowns.map((one, index) => <li key={index} dir="auto">{one}</li>)}</ul>
        </section>
      )}
      {guide.sources.length > 0 && (
        <section>
          <h4>{trans.__("Sources")}</h4>
          <ul class="lzu-refs">
            {guide.sources.map((one) => (
              <li key={one.id}>
                <span class="lzu-n">{one.id}</span>
                <span><SafeLink url={one.url} text={one.title || one.url || trans.__("untitled")} /> <span class="lzu-host">{one.host}</span></span>
                <Tag words={one.tag} tone={one.tone} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {ended && guide.unread.length > 0 && (
        <section>
          <h4>{trans.__("Could not be read")}</h4>
          <ul class="lzu-refs unread">
            {guide.unread.map((one, index) => (
              <li key={index}>
                <span class="lzu-n">–</span>
                <span><SafeLink url={one.url} text={one.title || one.url || trans.__("untitled")} /> <span class="lzu-dim" dir="auto">{one.reason}</span></span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Claims({ section }: { section: Section }) {
  const claims = section.claims.map((claim) => <li key={claim.key}><ClaimText claim={claim} text={claim.text} /></li>);
  if (claims.length === 0) return null;
  return (
    <section>
      <h4 dir="auto">{section.title}</h4>
      {section.ordered ? <ol>{claims}</ol> : <ul>{claims}</ul>}
    </section>
  );
}
