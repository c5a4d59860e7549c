import { describe, expect, it } from '@jest/globals';
import { LABEL_SELECTOR, REVENUE } from './conditions.js';

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
    'refuses %j',
    (text) => {
      expect(REVENUE.parse(text)).toBeUndefined();
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
  ])('refuses %j', (selector) => {
    expect(LABEL_SELECTOR.parse(selector)).toBeUndefined();
  });
});
