import { describe, expect, it } from '@jest/globals';
import {
  choice,
  duration,
  integer,
  NAMESPACE_PATTERN,
  TENANT_ID,
  text,
  valueNotes,
} from '@palisade/isolation/settings';
import type { z } from 'zod';
import {
  DNS_NAME,
  HEADER_NAME,
  KUBERNETES_LABEL,
  LABEL_SELECTOR,
  METRIC_LABEL,
  PORT_NAME,
  SQL_IDENTIFIER,
  SQL_TABLE,
} from './names.js';
import {
  AUDIT_LOCATION,
  COMMAND,
  ENDPOINT,
  FILE_PATH,
  HOST_PORT,
  PROGRAM,
  REQUEST_PATH,
  SECRET_FILE,
} from './places.js';
import { REVENUE } from './routing.js';

describe('values of the file', () => {
  it.each([
    ['duration', duration('1s', '1h'), '90s', 90_000],
    ['integer', integer(1, 5), 5, 5],
    ['choice', choice(['a', 'b']), 'b', 'b'],
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
  ])('%s reads what it accepts', (_, schema: z.ZodType, written, used) => {
    expect(schema.parse(written)).toEqual(used);
  });

  it.each([
    ['duration', duration('1s', '1h'), ['999ms', '61m', '1', '1.5s', '-1s', 's', '1S', ' 1s', 60, null]],
    ['integer', integer(1, 5), [0, 6, 1.5, NaN, '3', 1n, null, true]],
    ['choice', choice(['a', 'b']), ['A', '', 'toString', 'constructor', null]],
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
  ])('%s reads nothing else', (_, schema: z.ZodType, values: readonly unknown[]) => {
    expect(values.filter((each) => schema.safeParse(each).success)).toEqual([]);
  });

  it('tells that a letter only looks like one of ASCII', () => {
    expect(valueNotes(TENANT_ID)?.explain?.('\u0430cme')).toBe('"\u0430" is U+0430');
  });

  it('tells that a number has to be in quotes to be a text', () => {
    expect(valueNotes(TENANT_ID)?.explain?.(42)).toBe('that is a number, put it in quotes');
  });
});

describe('COMMAND', () => {
  it.each([
    ['systemctl reload haproxy', ['systemctl', 'reload', 'haproxy']],
    ['  /usr/sbin/nginx   -s  reload ', ['/usr/sbin/nginx', '-s', 'reload']],
    [`say 'two words' "and three more"`, ['say', 'two words', 'and three more']],
    [`say it''self a"b"'c'`, ['say', 'itself', 'abc']],
    [`say "" ''`, ['say', '', '']],
    [String.raw`say two\ words \"quoted\"`, ['say', 'two words', '"quoted"']],
    [String.raw`say "a \"quote\", a \$ and a \ "`, ['say', String.raw`a "quote", a $ and a \ `]],
    [`grep '$(a|b)*' --x=y:z,1%`, ['grep', '$(a|b)*', '--x=y:z,1%']],
    [
      ['reload', 'with spaces', '$HOME'],
      ['reload', 'with spaces', '$HOME'],
    ],
  ])('reads %j', (written, command) => {
    expect(COMMAND.parse(written)).toEqual(command);
  });

  it.each([
    'a | b',
    'a && b',
    'a; b',
    'a > /etc/passwd',
    'a < b',
    'a &',
    'a $HOME',
    'a "$HOME"',
    'a `b`',
    'a "`b`"',
    'a $(b)',
    'a *.conf',
    'a ?.conf',
    'a [b]',
    'a ~/x',
    'a {b,c}',
    'a !b',
    'a # b',
    'a (b)',
  ])('rejects %j, as only a shell gives it a meaning', (line) => {
    expect([COMMAND.safeParse(line).data, valueNotes(COMMAND)?.explain?.(line)]).toEqual([
      undefined,
      expect.stringMatching(/^no shell runs it, so . would mean nothing; quote it, or name a script$/),
    ]);
  });

  it.each([`a 'b`, `a "b`, 'a \\'])('rejects %j, which does not end', (line) => {
    expect([COMMAND.safeParse(line).data, valueNotes(COMMAND)?.explain?.(line)]).toEqual([
      undefined,
      'a quote or backslash has no end',
    ]);
  });

  it.each([
    '',
    '   ',
    'A=1 b',
    'a\nb',
    'a\tb',
    'a\0b',
    '../reload',
    './reload',
    '-rf',
    'a'.repeat(20_000),
    [],
    [1],
    ['a', 'b\n'],
    ['a', null],
    Array.from({ length: 65 }, () => 'a'),
    [''],
    7,
    null,
    {},
  ])('rejects %j', (written) => {
    expect(COMMAND.safeParse(written).success).toBe(false);
  });
});

describe('REVENUE', () => {
  it.each([
    ['>100000', '>', 100_000],
    ['>= 100000', '>=', 100_000],
    ['<0.5', '<', 0.5],
    ['<=7', '<=', 7],
    ['==0', '==', 0],
  ])('reads %j', (text, operator, amount) => {
    expect(REVENUE.parse(text)).toEqual({ operator, amount });
  });

  it.each(['100000', '>', '>-1', '=>1', '=1', '!=1', '>1e9', '> 1 ', ' >1', '>1,000', '>١', '>1\n', '', 1, null])(
    'rejects %j',
    (text) => {
      expect(REVENUE.safeParse(text).success).toBe(false);
    },
  );
});

describe('LABEL_SELECTOR', () => {
  it.each([
    'app=proxy',
    'app==proxy',
    'app = proxy',
    'app!=proxy',
    'app=',
    'app',
    '!app',
    'app in (a, b),tier notin (c)',
    'example.com/app=proxy,tier',
    'app in (a,b,)',
  ])('reads %j', (selector) => {
    expect(LABEL_SELECTOR.parse(selector)).toBe(selector);
  });

  it.each([
    '',
    ',',
    'app=proxy,',
    'app in',
    'app in a',
    'app in (a',
    'app=a b',
    '-app=a',
    'a/b/c=d',
    'app=proxy;rm',
    'app=proxy\n',
    `app=${'x'.repeat(64)}`,
    'x'.repeat(2000),
    1,
  ])('rejects %j', (selector) => {
    expect(LABEL_SELECTOR.safeParse(selector).success).toBe(false);
  });
});
