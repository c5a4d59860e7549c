import type { ExamplesObject } from '@nestjs/swagger';
import {
  BINDING_SOURCES,
  BINDING_STATES,
  type BindingSource,
  type BindingState,
  type Relation,
  RELATIONS,
} from '@palisade/domain';
import {
  Choice,
  Flag,
  IgnoresFieldsOf,
  Name,
  PageParameters,
  Text,
  Time,
  pageOf,
  type FieldOptions,
  type TextOptions,
} from '@palisade/platform';

export const ADD_BINDING_EXAMPLES: ExamplesObject = {
  group: {
    summary: 'A group that exists',
    value: { bound_subject: 'group:scim:default:eng', namespace: 'orders', relation: 'write' },
  },
  pending: {
    summary: 'A group that has not been pushed yet',
    value: { bound_subject: 'group:scim:default:sales', namespace: 'orders', relation: 'read', pending: true },
  },
};

/** `group:scim:`, a provider id, a colon and an external id. */
const MAX_GROUP_ID_LENGTH = 350;

function Group(description: string, options: TextOptions = {}): PropertyDecorator {
  return Text(description, { maxLength: MAX_GROUP_ID_LENGTH, example: 'group:scim:default:eng', ...options });
}

function BoundRelation(options: FieldOptions<Relation> = {}): PropertyDecorator {
  return Choice('What the group may do; each includes the ones before it.', RELATIONS, {
    example: 'write',
    ...options,
  });
}

function Source(options: FieldOptions<BindingSource> = {}): PropertyDecorator {
  return Choice(
    '`manual` for a binding that somebody decided on, `import` for one that was taken over.',
    BINDING_SOURCES,
    { example: 'manual', ...options },
  );
}

/** What a binding is removed by. */
export class RemoveBindingParameters {
  @Group('Full identifier of the group.')
  readonly bound_subject!: string;

  @Name('Name of the namespace.', { example: 'orders' })
  readonly namespace!: string;

  @BoundRelation()
  readonly relation!: Relation;
}

export class ListBindingsParameters extends PageParameters {
  @Name('Only of this namespace.', { optional: true, example: 'orders' })
  readonly namespace?: string;

  @Name('Only of groups of this provider.', { optional: true, example: 'default' })
  readonly provider?: string;

  @Group('Only of this group.', { optional: true })
  readonly bound_subject?: string;

  @Choice('Only in this state.', BINDING_STATES, { optional: true, example: 'dangling' })
  readonly state?: BindingState;
}

export class BindingResponse extends RemoveBindingParameters {
  @Source()
  readonly source!: BindingSource;

  @Text('Who approved it, as authenticated.', { example: 'ann@example.com' })
  readonly approved_by!: string;

  @Time('When it was added.')
  readonly created_at!: string;
}

export class ListedBindingResponse extends BindingResponse {
  @Choice(
    '`dangling`: the group does not exist, and the binding gives nothing until it does. `suspended`: its provider was ' +
      'deleted, and the binding gives nothing until it is added again.',
    BINDING_STATES,
    { example: 'active' },
  )
  readonly state!: BindingState;

  @Text('Display name of the group, when it exists and the binding is not suspended.', {
    optional: true,
    example: 'Engineers',
  })
  readonly display?: string;
}

/** `approved_by` is not here: it is the caller. What an answer says of it is ignored. */
@IgnoresFieldsOf(ListedBindingResponse)
export class AddBindingBody {
  @Group('Full identifier of the group.', { optional: true })
  readonly bound_subject?: string;

  @Group('Another name for `bound_subject`; exactly one of the two is required.', { optional: true })
  readonly source_group?: string;

  @Name('Name of the namespace.', { example: 'orders' })
  readonly namespace!: string;

  @BoundRelation({ default: 'read' })
  readonly relation: Relation = 'read';

  @Source({ default: 'manual' })
  readonly source: BindingSource = 'manual';

  @Flag('Bind a group that has not been pushed yet; the binding dangles until it is.', {
    default: false,
    example: false,
  })
  readonly pending: boolean = false;
}

export class BindingPage extends pageOf(ListedBindingResponse, 'In order of namespace, group and relation.') {}
