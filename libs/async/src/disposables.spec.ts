import { describe, expect, it } from '@jest/globals';
import { Disposables } from './disposables.js';

function named(name: string, disposed: string[]): Disposable {
  return { [Symbol.dispose]: () => void disposed.push(name) };
}

describe(Disposables.name, () => {
  it('disposes of the newest first, and of each once', () => {
    const disposed: string[] = [];
    const held = new Disposables();
    held.use(named('first', disposed));
    held.use(named('second', disposed));
    held[Symbol.dispose]();
    held[Symbol.dispose]();
    expect(disposed).toEqual(['second', 'first']);
  });

  it('can hold more after it was disposed of', () => {
    const disposed: string[] = [];
    const held = new Disposables();
    held[Symbol.dispose]();
    held.use(named('later', disposed));
    held[Symbol.dispose]();
    expect(disposed).toEqual(['later']);
  });
});
