const LABELS = { 'scim-service': 'scim   ', 'control-plane': 'control' };

/** A line of a service's log for a person who watches: time, service, level unless info, message. */
export function formatLogLine(service, line) {
  const label = LABELS[service] ?? service;
  const record = parse(line);
  if (record === undefined) {
    return `${' '.repeat(8)} ${label} ${line}`;
  }
  const time = new Date(record.time).toTimeString().slice(0, 8);
  const level = record.level === 'info' ? '' : `${record.level.toUpperCase()} `;
  const reason = record.err?.stack === undefined ? '' : `\n${record.err.stack}`;
  return `${time} ${label} ${level}${describe(record)}${reason}`;
}

function describe({ msg, method, path, status, ms }) {
  return msg === 'request' ? `${method} ${path} ${status} ${ms} ms` : msg;
}

function parse(line) {
  try {
    const record = JSON.parse(line);
    return typeof record?.level === 'string' && typeof record.msg === 'string' ? record : undefined;
  } catch {
    return undefined;
  }
}
