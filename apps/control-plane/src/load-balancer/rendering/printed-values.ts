import { isIP } from 'node:net';
import { RejectedStateError } from '../load-balancer.errors.js';

/**
 * Every value in a load balancer's file or command comes through here: each function returns the text to write when the
 * value has exactly the expected form, and throws otherwise. So no value can end a line, a string or a block, whatever the
 * types have promised.
 */
function accept(what: string, text: string, isGood: boolean): string {
  if (!isGood) {
    throw new RejectedStateError(
      `${what} cannot be written into a configuration: ${JSON.stringify(text.slice(0, 80))}`,
    );
  }
  return text;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PREFIX = /^(?:[a-z0-9][a-z0-9-]{0,62})?$/;
/** A name has at most 63 characters, and there may be a star before and after each. */
const PATTERN = /^[a-z0-9*?-]{1,127}$/;
const DNS_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const MAX_DNS_NAME = 253;
const MAX_WEIGHT = 256;
const MAX_PORT = 65_535;
const PATH = /^(?:\/[A-Za-z0-9_@+=.-]+)+$/;
const MAX_PATH = 1024;
/** Linux allows 107, of which HAProxy needs some while it replaces a socket. */
const MAX_SOCKET = 95;
const HEADER = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/;

/** A namespace. @throws {RejectedStateError} when it is anything else */
export function printNamespace(text: string): string {
  return accept('a namespace', text, LABEL.test(text));
}

/** The prefix of a pattern `prefix*`; may be empty. @throws {RejectedStateError} when it is anything else */
export function printPrefix(text: string): string {
  return accept('a prefix', text, PREFIX.test(text));
}

/** A pattern. @throws {RejectedStateError} when it is anything else */
export function printPattern(text: string): string {
  return accept('a namespace pattern', text, PATTERN.test(text));
}

/** @throws {RejectedStateError} when it is anything else than the name of a pool */
export function printPool(text: string): string {
  return accept('a pool', text, LABEL.test(text));
}

/** @throws {RejectedStateError} when it is anything else than the id of a proxy */
export function printServer(text: string): string {
  return accept('the id of a proxy', text, text.length <= MAX_DNS_NAME && DNS_NAME.test(text));
}

/** An IPv4 address as it is, an IPv6 address in brackets. @throws {RejectedStateError} when it is anything else */
export function printAddress(text: string): string {
  const version = text.includes('%') ? 0 : isIP(text);
  accept('an address', text, version !== 0);
  return version === 6 ? `[${text.toLowerCase()}]` : text;
}

/** An address, in brackets when it is an IPv6 one, or a DNS name. @throws {RejectedStateError} when it is anything else */
export function printHost(text: string): string {
  return text.length <= MAX_DNS_NAME && DNS_NAME.test(text) ? text : printAddress(text);
}

/** @throws {RejectedStateError} unless it is a whole number from 1 to 65,535 */
export function printPort(port: number): string {
  return printInteger('a port', port, 1, MAX_PORT);
}

/** @throws {RejectedStateError} unless it is a whole number from 1 to 256 */
export function printWeight(weight: number): string {
  return printInteger('a weight', weight, 1, MAX_WEIGHT);
}

/** @throws {RejectedStateError} unless it is a whole number in this range */
export function printInteger(what: string, value: number, min: number, max: number): string {
  return accept(what, String(value), Number.isInteger(value) && value >= min && value <= max);
}

/** An absolute path without `.`, `..`, spaces and quotes. @throws {RejectedStateError} when it is anything else */
export function printPath(text: string): string {
  const isPlain = text.length <= MAX_PATH && PATH.test(text);
  return accept('a path', text, isPlain && text.split('/').every((part) => part !== '.' && part !== '..'));
}

/** The path of a socket, which is limited in length. @throws {RejectedStateError} when it is anything else */
export function printSocket(text: string): string {
  return accept('the path of a socket', printPath(text), text.length <= MAX_SOCKET);
}

/** @throws {RejectedStateError} when it is anything else than a header's name of letters, digits and inner hyphens */
export function printHeader(text: string): string {
  return accept('a header', text, HEADER.test(text));
}

const ERRORS = {
  400: ['Bad Request', 'INVALID_NAMESPACE', 'the request names no namespace, or what it names is none'],
  404: ['Not Found', 'NAMESPACE_NOT_FOUND', 'the namespace is not served here'],
  503: ['Service Unavailable', 'POOL_UNAVAILABLE', 'no proxy of the pool takes requests at the moment'],
} as const;

export type ErrorStatus = keyof typeof ERRORS;

/**
 * The body of an error that the load balancer itself answers: problem details (RFC 9457), without characters that would have
 * to be escaped in a configuration.
 */
export function errorBody(status: ErrorStatus): string {
  const [title, code, detail] = ERRORS[status];
  return JSON.stringify({ type: 'about:blank', title, status, code, detail });
}
