import type { ControlPlanePaths, ScimServicePaths } from '@palisade/client';
import type { Operation, OperationArgument } from './operation.js';

interface Services {
  'scim-service': ScimServicePaths;
  'control-plane': ControlPlanePaths;
}

/**
 * A command that sends one request of the API documents: its service, method and path, the fields that it sends with their
 * kinds and choices, and the fields of the answer that it shows. What the API does not have does not compile.
 */
export type DocumentedOperation = {
  [Service in keyof Services]: {
    [Path in keyof Services[Service]]: {
      [Method in Operation['method']]: Documented<Service, Path, Method, Services[Service][Path]>;
    }[Operation['method']];
  }[keyof Services[Service]];
}[keyof Services];

/** Commands under one word, such as `tenant`. */
export interface OperationGroup {
  readonly name: string;
  readonly summary: string;
  readonly operations: readonly DocumentedOperation[];
}

type Documented<Service, Path, Method extends string, Item> =
  Item extends Readonly<Record<Lowercase<Method>, infer Endpoint extends object>>
    ? Omit<Operation, keyof Request<Endpoint> | keyof Shown<unknown> | 'service' | 'method' | 'path'> & {
        readonly service: Service;
        readonly method: Method;
        readonly path: Path;
      } & Request<Endpoint> &
        Shown<AnswerOf<Endpoint>>
    : never;

interface Request<Endpoint> {
  readonly arguments?: readonly (PathArgument<Endpoint> | FieldArgument<Endpoint>)[];
  readonly options?: readonly FieldOption<FieldsOf<Endpoint>>[];
  readonly query?: Partial<QueryOf<Endpoint>>;
  readonly body?: Partial<BodyOf<Endpoint>>;
}

type PathArgument<Endpoint> = Omit<OperationArgument, 'name' | 'field'> & {
  readonly name: keyof PathOf<Endpoint>;
  readonly field?: never;
};

type FieldArgument<Endpoint> = OperationArgument & { readonly field: keyof FieldsOf<Endpoint> };

/** An option for one of the fields, with the kind and the choices that the field's type has. */
type FieldOption<Fields> = OptionOf<Fields, ''> | PartOption<Fields>;

type OptionOf<Fields, Prefix extends string> = {
  [Field in keyof Fields & string]-?: {
    readonly flags: string;
    readonly text: string;
    readonly field: `${Prefix}${Field}`;
  } & KindOf<NonNullable<Fields[Field]>>;
}[keyof Fields & string];

/** A field of an object among the fields, after a dot. */
type PartOption<Fields> = {
  [Field in keyof Fields & string]-?: NonNullable<Fields[Field]> extends readonly unknown[]
    ? never
    : NonNullable<Fields[Field]> extends object
      ? OptionOf<NonNullable<Fields[Field]>, `${Field}.`>
      : never;
}[keyof Fields & string];

/** Fields that the command line cannot express, such as objects, have no option. */
type KindOf<Value> = [Value] extends [number]
  ? { readonly kind: 'number' }
  : [Value] extends [boolean]
    ? { readonly kind: 'switch' }
    : [Value] extends [readonly unknown[]]
      ? { readonly kind: 'list' }
      : [Value] extends [string]
        ? string extends Value
          ? { readonly kind?: 'text' | 'time'; readonly choices?: never }
          : { readonly kind?: 'text'; readonly choices: readonly Value[] }
        : never;

type Shown<Answer> = List<Answer> & {
  readonly headline?: KeysOf<Answer, string>;
  readonly mustBeTrue?: KeysOf<Answer, boolean>;
};

type List<Answer> =
  | { readonly items?: never; readonly columns?: never }
  | {
      [Items in KeysOf<Answer, readonly unknown[]>]: {
        readonly items: Items;
        readonly columns: readonly ColumnOf<ElementOf<Answer[Items]>>[];
      };
    }[KeysOf<Answer, readonly unknown[]>];

/** A field, or a field of a nested object after a dot. */
type ColumnOf<Item> = {
  [Key in Known<Item>]: NonNullable<Item[Key]> extends readonly unknown[]
    ? Key
    : NonNullable<Item[Key]> extends object
      ? Key | `${Key}.${Known<NonNullable<Item[Key]>>}`
      : Key;
}[Known<Item>];

/** The keys that a type names, without those that an index signature allows. */
type Known<Item> = keyof { [Key in keyof Item as string extends Key ? never : Key & string]: never } &
  keyof Item &
  string;

type KeysOf<Answer, Value> = {
  [Key in Known<Answer>]: NonNullable<Answer[Key]> extends Value ? Key : never;
}[Known<Answer>];

type ElementOf<List> = List extends readonly (infer Item)[] ? Item : never;

type PathOf<Endpoint> = Endpoint extends { parameters: { path: infer Values extends object } } ? Values : object;

type QueryOf<Endpoint> = Endpoint extends { parameters: { query?: infer Values extends object } } ? Values : object;

type BodyOf<Endpoint> = Endpoint extends { requestBody?: infer Request } ? JsonOf<NonNullable<Request>> : never;

type JsonOf<Request> = Request extends { content: { 'application/json': infer Body extends object } } ? Body : never;

/** The fields of the body; requests without a body send theirs in the query. */
type FieldsOf<Endpoint> = [BodyOf<Endpoint>] extends [never] ? QueryOf<Endpoint> : BodyOf<Endpoint>;

type AnswerOf<Endpoint> = Endpoint extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201)]: ContentOf<Responses[Status]> }[keyof Responses & (200 | 201)]
  : never;

type ContentOf<Response> = Response extends { content: infer Content } ? Content[keyof Content] : never;
