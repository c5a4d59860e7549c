const SCREEN = { columns: 104, lineHeight: 19, left: 16, top: 38, characterWidth: 7.83 };
const PAUSES_S = { afterComment: 0.9, afterCommand: 0.6, afterOutput: 1.1, end: 8 };

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Each line of the terminal with the moment at which it appears, in seconds. */
function schedule(steps) {
  const lines = [];
  let at = 0.4;
  const add = (text, kind) => {
    for (let from = 0; from < text.length; from += SCREEN.columns) {
      lines.push({ text: text.slice(from, from + SCREEN.columns), kind, at });
    }
  };
  for (const { say, type, prints = [] } of steps) {
    if (say !== undefined) {
      add(`# ${say}`, 'say');
      at += PAUSES_S.afterComment;
      continue;
    }
    add(`$ ${type}`, 'type');
    at += PAUSES_S.afterCommand;
    prints.forEach((line) => add(line, 'print'));
    at += prints.length > 0 ? PAUSES_S.afterOutput : 0;
  }
  return { lines, endsAt: at + PAUSES_S.end };
}

/**
 * An SVG that shows commands and what they printed as they appear on a terminal, again and again; to readers who prefer
 * reduced motion, all at once.
 *
 * @param {readonly { say?: string, type?: string, prints?: readonly string[] }[]} steps
 */
export function printRecording(steps) {
  const { lines, endsAt } = schedule(steps);
  const { columns, lineHeight, left, top, characterWidth } = SCREEN;
  const width = Math.ceil(left * 2 + columns * characterWidth);
  const height = top + lines.length * lineHeight + 12;
  const percent = (at) => ((at / endsAt) * 100).toFixed(2);
  const moments = [...new Set(lines.map(({ at }) => at))];
  const appear = moments.map(
    (at, moment) =>
      `@keyframes at-${moment} { 0% { visibility: hidden; } ${percent(at)}%, 100% { visibility: visible; } }`,
  );
  const texts = lines.map(
    ({ text, kind, at }, index) =>
      `<text class="${kind}" x="${left}" y="${top + (index + 1) * lineHeight - 5}" ` +
      `style="animation-name:at-${moments.indexOf(at)}" xml:space="preserve">${escapeXml(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">A terminal: npm start; a user and a group are pushed, bound to a namespace and served; deactivated, the session is gone within a second</title>
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #cbd5e1; }
text { animation: ${endsAt.toFixed(1)}s step-end infinite; }
.say { fill: #7dd3a8; }
.type { fill: #f8fafc; font-weight: 600; }
${appear.join('\n')}
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#0f172a" />
<circle cx="22" cy="20" r="6" fill="#f87171" />
<circle cx="42" cy="20" r="6" fill="#fbbf24" />
<circle cx="62" cy="20" r="6" fill="#4ade80" />
${texts.join('\n')}
</svg>
`;
}
