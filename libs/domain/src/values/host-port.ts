export interface HostPort {
  readonly host: string;
  /** 0 lets the system choose one. */
  readonly port: number;
}

/** `host:port`, port 0 to 65535; an IPv6 address stands in brackets. Undefined for any other text. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, ipv6, dnsName, port] = /^(?:\[([\da-f:.]{2,45})\]|([a-z\d._-]{1,253})):(\d{1,5})$/i.exec(text) ?? [];
  const host = ipv6 ?? dnsName;
  return host === undefined || Number(port) > 65_535 ? undefined : Object.freeze({ host, port: Number(port) });
}
