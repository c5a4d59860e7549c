/** Whoever makes a change does not lead any more: it stops where it is, and brings nothing back. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';

  constructor(epoch: number) {
    super(`the term of epoch ${epoch} is over, and another replica may lead: the change was not carried on`);
  }
}
