import { describe, expect, it } from '@jest/globals';
import { AUDIT_LOCATION, ENDPOINT, HOST_PORT } from './addresses.js';
import { choice, duration, integer, text } from './basic-kinds.js';
import { FILE_PATH, PROGRAM, REQUEST_PATH, SECRET_FILE } from './files.js';
import { read, readOptional } from './kind.js';
import {
  DNS_NAME,
  HEADER_NAME,
  KUBERNETES_LABEL,
  METRIC_LABEL,
  NAMESPACE_PATTERN,
  PORT_NAME,
  SQL_IDENTIFIER,
  SQL_TABLE,
  TENANT_ID,
} from './names.js';

describe('kinds', () => {
  it.each([
    ['duration', duration('1s', '1h'), '90s', 90_000],
    ['integer', integer(1, 5), 5, 5],
    ['choice', choice(['a', 'b'], { c: 'a' }), 'c', 'a'],
    ['text', text(3), 'äöü', 'äöü'],
    ['TENANT_ID', TENANT_ID, 'constructor', 'constructor'],
    ['NAMESPACE_PATTERN', NAMESPACE_PATTERN, 'a**b', 'a*b'],
    ['HOST_PORT', HOST_PORT, '[::1]:80', { host: '::1', port: 80 }],
    ['ENDPOINT', ENDPOINT, 'https://metrics.internal/path', 'https://metrics.internal/path'],
    ['ENDPOINT', ENDPOINT, 'metrics.internal:9090', 'metrics.internal:9090'],
    ['AUDIT_LOCATION', AUDIT_LOCATION, 'file:///var/audit/', new URL('file:///var/audit/')],
    ['AUDIT_LOCATION', AUDIT_LOCATION, 's3://my-bucket/a/b', new URL('s3://my-bucket/a/b')],
    ['FILE_PATH', FILE_PATH, '/etc/palisade/a file.pem', '/etc/palisade/a file.pem'],
    ['PROGRAM', PROGRAM, 'nginx', 'nginx'],
    ['PROGRAM', PROGRAM, '/usr/sbin/nginx', '/usr/sbin/nginx'],
    ['REQUEST_PATH', REQUEST_PATH, '/health?full=1', '/health?full=1'],
    ['DNS_NAME', DNS_NAME, '_http._tcp.Example.com.', '_http._tcp.example.com'],
    ['HEADER_NAME', HEADER_NAME, 'X-Namespace', 'x-namespace'],
    ['KUBERNETES_LABEL', KUBERNETES_LABEL, 'prism.io/pool', 'prism.io/pool'],
    ['METRIC_LABEL', METRIC_LABEL, '_tenant', '_tenant'],
    ['PORT_NAME', PORT_NAME, 'http-1', 'http-1'],
    ['SQL_TABLE', SQL_TABLE, 'app.orders', 'app.orders'],
  ])('%s reads what it accepts', (_, kind, value, parsed) => {
    expect(kind.parse(value)).toEqual(parsed);
  });

  it.each([
    ['duration', duration('1s', '1h'), ['999ms', '61m', '1', '1.5s', '-1s', 's', '1S', ' 1s', 60, null]],
    ['integer', integer(1, 5), [0, 6, 1.5, NaN, '3', 1n, null, true]],
    ['choice', choice(['a', 'b'], { c: 'a' }), ['A', '', 'toString', 'constructor', null]],
    ['text', text(3), ['', 'abcd', 'a\n', '\u0085', '\ud800', 1, null]],
    ['TENANT_ID', TENANT_ID, ['Acme', '-a', 'a-', 'a.b', 'a:b', 'a*', '\u0430cme', 'a'.repeat(64), '', 1]],
    ['NAMESPACE_PATTERN', NAMESPACE_PATTERN, ['', 'A*', 'a.b', '-a', 'a>', 'a'.repeat(64)]],
    ['HOST_PORT', HOST_PORT, ['h', 'h:0', 'h:65536', ':80', 'h:', '::1:80', 'h:80/x', 'a b:80', 'u@h:80']],
    ['ENDPOINT', ENDPOINT, ['h', 'ftp://h', 'https://u:p@h', 'https://u@h', 'https://h?q', 'javascript:x', 'http://']],
    [
      'AUDIT_LOCATION',
      AUDIT_LOCATION,
      [
        'file:///',
        'file://h/x',
        'file:/x',
        'file:///a/../b',
        's3://B/x',
        's3://b',
        's3://bucket:80/x',
        's3://bucket/a/../b',
        's3://bu..cket/x',
        's3://u@bucket/x',
        's3://bucket/x?y',
        'http://x',
        '/var/audit',
      ],
    ],
    [
      'FILE_PATH',
      FILE_PATH,
      ['', '/', 'a', './a', '/a/../b', '/a/./b', '/a//b', '/a/', '/a\0', '/a\n', '~/.x', '/\ud800'],
    ],
    ['SECRET_FILE', SECRET_FILE, ['secret']],
    ['PROGRAM', PROGRAM, ['', '../a', 'a b', '-a', 'a/b', '$SHELL', 'a;b']],
    ['REQUEST_PATH', REQUEST_PATH, ['', 'a', '/a b', '/a\r\nX: y', 'http://h/', '/ä', `/${'a'.repeat(1024)}`]],
    ['DNS_NAME', DNS_NAME, ['', '.', 'a..b', '-a', 'a-', 'a b', 'ä.de', `${'a'.repeat(64)}.de`, 'a.'.repeat(130)]],
    ['HEADER_NAME', HEADER_NAME, ['', 'Host', 'AUTHORIZATION', 'a:b', 'a b', 'a\n', '1a', 'a'.repeat(65)]],
    ['KUBERNETES_LABEL', KUBERNETES_LABEL, ['', '/a', 'a/', 'a/b/c', '-a', 'a b', 'a'.repeat(64), 'A..B/c']],
    ['METRIC_LABEL', METRIC_LABEL, ['', '1a', '__a', 'a-b', 'ä']],
    ['PORT_NAME', PORT_NAME, ['', '80', 'HTTP', '-a', 'a-', 'a'.repeat(16)]],
    ['SQL_IDENTIFIER', SQL_IDENTIFIER, ['', '1a', 'Id', 'a-b', 'a"b', 'a;', 'a'.repeat(64)]],
    ['SQL_TABLE', SQL_TABLE, ['orders', 'a.b.c', 'a.', '.b', 'a."b"']],
  ])('%s reads nothing else', (_, kind, values) => {
    expect(values.filter((value) => kind.parse(value) !== undefined)).toEqual([]);
  });

  it('tells that a letter only looks like one of ASCII', () => {
    expect(TENANT_ID.explain?.('\u0430cme')).toBe('"\u0430" is U+0430');
  });

  it('tells that a number has to be in quotes to be a text', () => {
    expect(TENANT_ID.explain?.(42)).toBe('that is a number, put it in quotes');
  });
});

describe(read.name, () => {
  it('throws for a value that has not been checked', () => {
    expect(() => read(TENANT_ID, 'A')).toThrow('expected a tenant id');
  });
});

describe(readOptional.name, () => {
  it('reads nothing as nothing', () => {
    expect(readOptional(TENANT_ID, undefined)).toBeUndefined();
  });
});
