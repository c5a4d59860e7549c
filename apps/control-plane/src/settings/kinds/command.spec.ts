import { describe, expect, it } from '@jest/globals';
import { COMMAND } from './command.js';

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
  ])('reads %j', (value, command) => {
    expect(COMMAND.parse(value)).toEqual(command);
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
  ])('refuses %j, as only a shell gives it a meaning', (line) => {
    expect([COMMAND.parse(line), COMMAND.explain?.(line)]).toEqual([
      undefined,
      expect.stringMatching(/^no shell runs it, so . would mean nothing; quote it, or name a script$/),
    ]);
  });

  it.each([`a 'b`, `a "b`, 'a \\'])('refuses %j, which does not end', (line) => {
    expect([COMMAND.parse(line), COMMAND.explain?.(line)]).toEqual([undefined, 'a quote or backslash has no end']);
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
  ])('refuses %j', (value) => {
    expect(COMMAND.parse(value)).toBeUndefined();
  });
});
