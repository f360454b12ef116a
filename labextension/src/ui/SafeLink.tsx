// Owns a link out of the card: only where Python gave an http or https address, else the same text.
export function SafeLink({ url, text }: { url: string; text: string }) {
  if (!url) return <span dir="auto">{text}</span>;
  return <a dir="auto" href={url} target="_blank" rel="noopener noreferrer nofollow">{text}</a>;
}
