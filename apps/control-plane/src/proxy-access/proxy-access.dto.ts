import { MAX_ACCESS_QUESTIONS, RELATIONS, type Relation } from '@palisade/domain';
import type { ExamplesObject } from '@nestjs/swagger';
import { Choice, Flag, List, Name, Nested, Text, Texts } from '@palisade/platform';

/** The longest full identifier, and then some. */
const MAX_REFERENCE_LENGTH = 350;

export class AccessQuestionBody {
  @Text('Full identifier of the user, or their external id together with `provider`.', {
    maxLength: MAX_REFERENCE_LENGTH,
    example: 'user:scim:default:ada',
  })
  readonly user!: string;

  @Name('Provider of the user; may be left out when the user is given by full identifier.', {
    optional: true,
    example: 'default',
  })
  readonly provider?: string;

  @Name('Name of a namespace that the pool of the proxy serves.', { example: 'orders' })
  readonly namespace!: string;

  @Choice('The relation in question; one that includes it answers as well.', RELATIONS, { default: 'read' })
  readonly relation: Relation = 'read';
}

export class AccessQuestionsBody {
  @List('What the proxy wants to know.', AccessQuestionBody, { minItems: 1, maxItems: MAX_ACCESS_QUESTIONS })
  readonly questions!: readonly AccessQuestionBody[];
}

export class AccessReasonResponse {
  @Texts('From the group that the user is a direct member of up to the bound one.', {
    example: ['group:scim:default:backend', 'group:scim:default:eng'],
  })
  readonly groups!: readonly string[];

  @Choice('The relation that the binding gives.', RELATIONS, { example: 'write' })
  readonly relation!: Relation;
}

export class ProxyAccessResponse {
  @Flag('Whether the user has the relation.', { example: true })
  readonly allowed!: boolean;

  @Text('Full identifier of the user, when they have it.', { optional: true, example: 'user:scim:default:ada' })
  readonly user?: string;

  @Nested('One way in which they have it.', AccessReasonResponse, { optional: true })
  readonly because?: AccessReasonResponse;

  @Choice(
    'Why they do not have it. Unknown and inactive users are `no_relation`; `not_served` says that the namespace is not one of the pool.',
    ['no_relation', 'weaker_relation', 'not_served'],
    { optional: true, example: 'no_relation' },
  )
  readonly reason?: string;
}

export class ProxyAccessList {
  @List('In the order of the questions.', ProxyAccessResponse)
  readonly answers!: readonly ProxyAccessResponse[];
}

export const ACCESS_QUESTION_EXAMPLES: ExamplesObject = {
  write: {
    summary: 'May Ada write in the namespace "orders"?',
    value: { questions: [{ user: 'user:scim:default:ada', namespace: 'orders', relation: 'write' }] },
  },
};
