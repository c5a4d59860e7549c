const STOPPING = new Set(['high', 'critical']);

/**
 * The advisories in `npm audit --json` that block a release: `{ found }`, one text each, or `{ unanswered }`, the reason why
 * the registry gave no report. Only a complete report counts, so that an error cannot look like a clean result.
 */
export function readAdvisories(output) {
  const report = parse(output);
  if (report?.auditReportVersion !== 2 || typeof (report.vulnerabilities ?? undefined) !== 'object') {
    return { unanswered: String(report?.message || report?.error?.summary || 'no report') };
  }
  return {
    found: Object.values(report.vulnerabilities)
      .filter(({ severity }) => STOPPING.has(severity))
      .map(({ name, severity, range, via }) => `${name} ${range} (${severity}): ${via.map(describeCause).join('; ')}`),
  };
}

/** An advisory, or the name of the dependency that has one. */
function describeCause(cause) {
  return typeof cause === 'string' ? `through ${cause}` : `${cause.title} ${cause.url}`;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
