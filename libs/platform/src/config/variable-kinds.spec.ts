import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import {
  baseUrl,
  bearerToken,
  choice,
  durationMs,
  flag,
  hostPort,
  integer,
  readableFile,
  text,
  url,
} from './variable-kinds.js';

const description = 'For a test.';

describe(flag.name, () => {
  const { parse } = flag('SVC_X', { description });

  it.each([
    ['true', true],
    ['FALSE', false],
  ])('takes %s as %s', (value, expected) => {
    expect(parse(value)).toBe(expected);
  });

  it.each(['yes', '1', 'constructor'])('rejects %s', (value) => {
    expect(parse(value)).toBeUndefined();
  });
});

describe(integer.name, () => {
  const { parse, expected } = integer('SVC_X', { description, min: -1, max: 10, unit: 'seconds' });

  it('tells range and unit', () => {
    expect(expected).toBe('an integer from -1 to 10 (seconds)');
  });

  it.each([
    ['-1', -1],
    ['10', 10],
  ])('takes the bound %s', (value, number) => {
    expect(parse(value)).toBe(number);
  });

  it.each(['-2', '11', '1.5', '1e1', '0x1', '9'.repeat(400)])('rejects %s', (value) => {
    expect(parse(value)).toBeUndefined();
  });
});

describe(durationMs.name, () => {
  const { parse } = durationMs('SVC_X', { description, min: '10ms', max: '2d' });

  it.each([
    ['10ms', 10],
    ['15s', 15_000],
    ['5m', 300_000],
    ['12h', 43_200_000],
    ['2d', 172_800_000],
  ])('reads %s as %s ms', (value, durationInMs) => {
    expect(parse(value)).toBe(durationInMs);
  });

  it.each(['9ms', '3d', '15', '1.5s', 's', '5 m'])('rejects %s', (value) => {
    expect(parse(value)).toBeUndefined();
  });
});

describe(hostPort.name, () => {
  const { parse } = hostPort('SVC_X', { description });

  it.each([
    ['0.0.0.0:9091', { host: '0.0.0.0', port: 9091 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65_535 }],
  ])('splits %s', (value, expected) => {
    expect(parse(value)).toEqual(expected);
  });

  it.each(['9091', ':9091', 'localhost', 'localhost:65536', '::1:80', 'http://localhost:80'])('rejects %s', (value) => {
    expect(parse(value)).toBeUndefined();
  });
});

describe(choice.name, () => {
  const { parse } = choice('SVC_X', { description, choices: ['rfc', 'entra'] });

  it('takes one of its choices', () => {
    expect(parse('entra')).toBe('entra');
  });

  it('rejects another case', () => {
    expect(parse('Entra')).toBeUndefined();
  });
});

describe(url.name, () => {
  const { parse } = url('SVC_X', { description, schemes: ['postgres:', 'memory:'] });

  it.each(['postgres://user:pass@host/db', 'memory:'])('takes %s as it is', (value) => {
    expect(parse(value)).toBe(value);
  });

  it.each(['http://host', 'host/db'])('rejects %s', (value) => {
    expect(parse(value)).toBeUndefined();
  });
});

describe(baseUrl.name, () => {
  const { parse } = baseUrl('SVC_X', { description });

  it.each([
    ['https://scim.example.com', 'https://scim.example.com'],
    ['https://scim.example.com/', 'https://scim.example.com'],
    ['HTTPS://SCIM.example.com:443//', 'https://scim.example.com'],
    ['http://localhost:9091/identity/', 'http://localhost:9091/identity'],
    ['http://[::1]:9091', 'http://[::1]:9091'],
  ])('takes %s as %s', (value, normalised) => {
    expect(parse(value)).toBe(normalised);
  });

  it.each([
    'scim.example.com',
    'ftp://h',
    'https:foo',
    'https:/h',
    'https://',
    'https:///h',
    'https:\\\\h',
    'https://h:99999',
    'https://h/path?x=1',
    'https://h?',
    'https://h/path#top',
    'https://user:pw@h',
    'https://user@h',
    'https://h/a b',
    `https://h/${'a'.repeat(4096)}`,
  ])('rejects %s', (value) => {
    expect(parse(value)).toBeUndefined();
  });
});

describe(bearerToken.name, () => {
  const { parse, isSecret } = bearerToken('SVC_X', { description });

  it('is always a secret', () => {
    expect(isSecret).toBe(true);
  });

  it('takes what RFC 6750 allows in a header', () => {
    expect(parse('aZ09-._~+/==')).toBe('aZ09-._~+/==');
  });

  it.each(['two words', 'a=b', 'ü', 'a'.repeat(4097)])('rejects %s', (value) => {
    expect(parse(value)).toBeUndefined();
  });
});

describe(text.name, () => {
  const { parse } = text('SVC_X', { description });

  it('rejects control characters', () => {
    expect(parse('a\u0000b')).toBeUndefined();
  });
});

describe(readableFile.name, () => {
  const { parse } = readableFile('SVC_X', { description });

  it('takes the path of a file', () => {
    expect(parse(import.meta.filename)).toBe(import.meta.filename);
  });

  it('rejects a directory and a missing file', () => {
    expect([parse(tmpdir()), parse('/does/not/exist')]).toEqual([undefined, undefined]);
  });
});
