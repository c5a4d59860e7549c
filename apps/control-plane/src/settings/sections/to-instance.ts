import { plainToInstance } from 'class-transformer';

/** An instance of the class with the data's values; a value of undefined is as good as none, so that its default stays. */
export function toInstance(type: new () => object, data: unknown): unknown {
  return plainToInstance(type, data, { exposeUnsetFields: false });
}
