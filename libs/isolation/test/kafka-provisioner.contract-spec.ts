import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AclOperations, AclPermissionTypes, ResourcePatternTypes, ResourceTypes, type Acl } from '@platformatic/kafka';
import { requireKafka } from '../../../test/support/test-services.js';
import type { KafkaGrants } from '../src/backends/kafka/provisioning/kafka-grants.js';
import { KafkaProvisioner } from '../src/backends/kafka/provisioning/kafka-provisioner.js';
import { KafkaWork, KafkaWorld } from './support/kafka-world.js';
import { ownTenant } from '../src/tenant-namespace.js';

let world: KafkaWorld;

beforeAll(async () => {
  world = await KafkaWorld.start();
});

afterEach(async () => {
  await world.provisioner().remove(ownTenant(world.acme), {}, { data: 'delete' });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const GRANTS: KafkaGrants = {
  topics: [{ name: 'orders', partitions: 3, replicas: 1, config: { 'retention.ms': '60000' } }],
  quotas: { producedBytesPerSecond: 1_000_000, requestPercent: 50 },
};

/** Has access that the provisioner knows nothing of. */
async function withAcl(overrides: Partial<Acl>, work: () => Promise<void>): Promise<void> {
  const acl: Acl = {
    resourceType: ResourceTypes.TOPIC,
    resourceName: `${world.acme}.`,
    resourcePatternType: ResourcePatternTypes.PREFIXED,
    principal: 'User:stranger',
    host: '*',
    operation: AclOperations.READ,
    permissionType: AclPermissionTypes.ALLOW,
    ...overrides,
  };
  await world.admin.createAcls({ creations: [acl] });
  try {
    await work();
  } finally {
    await world.admin.deleteAcls({ filters: [acl] });
  }
}

describe(KafkaProvisioner.name, () => {
  it('makes a user who may use the prefix, topics and quotas, and says so', async () => {
    const { acme } = world;
    const { principal, password, changes } = await world.provisioner().apply(ownTenant(acme), GRANTS);
    expect(principal).toBe(`User:tenant-${acme}`);
    expect(password).toMatch(/^[\w-]{43}$/);
    expect(changes).toEqual([
      `set the password of ${principal}`,
      `added: ${principal} may READ TOPIC ${acme}.*`,
      `added: ${principal} may WRITE TOPIC ${acme}.*`,
      `added: ${principal} may READ GROUP ${acme}.*`,
      `added: ${principal} may WRITE TRANSACTIONAL_ID ${acme}.*`,
      `set the quota producer_byte_rate of tenant-${acme} to 1000000`,
      `set the quota request_percentage of tenant-${acme} to 50`,
      `made the topic ${acme}.${acme}.orders`,
    ]);
    expect(changes.join()).not.toContain(password);
    expect(await world.provisioner().verify(ownTenant(acme), GRANTS)).toEqual([]);
    const { topics } = await world.admin.metadata({ topics: [`${acme}.${acme}.orders`] });
    expect(topics.get(`${acme}.${acme}.orders`)?.partitionsCount).toBe(3);
  });

  it('changes nothing when all is as it should be', async () => {
    await world.provisioner().apply(ownTenant(world.acme), GRANTS);
    expect(await world.provisioner().apply(ownTenant(world.acme), GRANTS)).toEqual({
      principal: `User:tenant-${world.acme}`,
      password: undefined,
      changes: [],
    });
  });

  it('sets the password that it is told', async () => {
    const password = 'a password of some length';
    await world.provisioner().apply(ownTenant(world.acme));
    expect(await world.provisioner().apply(ownTenant(world.acme), { password })).toMatchObject({ password });
    const config = {
      brokers: requireKafka().saslBrokers,
      sasl: { mechanism: 'SCRAM-SHA-512', username: `tenant-${world.acme}`, password },
    } as const;
    await using work = await KafkaWork.begin(world.driver({ config }), world.acme);
    expect(work.connection.isUsable).toBe(true);
  });

  it('takes back what is no longer granted', async () => {
    const { acme } = world;
    const principal = `User:tenant-${acme}`;
    await world.provisioner().apply(ownTenant(acme), { mayCreateTopics: true, quotas: { consumedBytesPerSecond: 5 } });
    const { changes } = await world.provisioner().apply(ownTenant(acme));
    expect(changes).toEqual([
      `removed: ${principal} may CREATE TOPIC ${acme}.*`,
      `set the quota consumer_byte_rate of tenant-${acme} to no limit`,
    ]);
    expect(await world.provisioner().verify(ownTenant(acme))).toEqual([]);
  });

  it('says what is missing', async () => {
    const { acme } = world;
    expect(await world.provisioner().verify(ownTenant(acme), GRANTS)).toEqual([
      `User:tenant-${acme} cannot log in with SCRAM-SHA-512`,
      `missing: User:tenant-${acme} may READ TOPIC ${acme}.*`,
      `missing: User:tenant-${acme} may WRITE TOPIC ${acme}.*`,
      `missing: User:tenant-${acme} may READ GROUP ${acme}.*`,
      `missing: User:tenant-${acme} may WRITE TRANSACTIONAL_ID ${acme}.*`,
      'the quota producer_byte_rate: expected 1000000, found no limit',
      'the quota request_percentage: expected 50, found no limit',
      `there is no topic ${acme}.${acme}.orders`,
    ]);
  });

  it.each([
    ['the same prefix', {}, (acme: string) => `somebody else: User:stranger may READ TOPIC ${acme}.*`],
    [
      'a prefix without its delimiter',
      { resourceName: 'acme-' },
      () => 'somebody else: User:stranger may READ TOPIC acme-*',
    ],
    [
      'everything, as everybody',
      {
        principal: 'User:*',
        resourceType: ResourceTypes.TRANSACTIONAL_ID,
        resourceName: '*',
        resourcePatternType: ResourcePatternTypes.LITERAL,
        operation: AclOperations.DESCRIBE,
      },
      () => 'somebody else: User:* may DESCRIBE TRANSACTIONAL_ID *',
    ],
  ])('says who else could use what belongs to the namespace: %s', async (_, acl: Partial<Acl>, expected) => {
    await world.provisioner().apply(ownTenant(world.acme));
    await withAcl(acl, async () => {
      expect(await world.provisioner().verify(ownTenant(world.acme))).toEqual([expected(world.acme)]);
    });
  });

  it('says what the user may do beyond its prefix', async () => {
    const principal = `User:tenant-${world.acme}`;
    await world.provisioner().apply(ownTenant(world.acme));
    await withAcl({ principal, resourceName: `${world.acme2}.` }, async () => {
      const problems = await world.provisioner().verify(ownTenant(world.acme));
      expect(problems).toEqual([`too much: ${principal} may READ TOPIC ${world.acme2}.*`]);
    });
  });

  it('lets those be who are trusted, and who have nothing to do with the namespace', async () => {
    await world.provisioner().apply(ownTenant(world.acme));
    const trustedPrincipals = ['User:stranger'];
    await withAcl({}, async () => {
      expect(await world.provisioner({ trustedPrincipals }).verify(ownTenant(world.acme))).toEqual([]);
    });
    await withAcl({ resourceName: `${world.acme2}.` }, async () => {
      expect(await world.provisioner().verify(ownTenant(world.acme))).toEqual([]);
    });
  });

  it('takes everything back and keeps the data', async () => {
    const { acme } = world;
    const principal = `User:tenant-${acme}`;
    const provisioner = world.provisioner();
    await provisioner.apply(ownTenant(acme), GRANTS);
    expect(await provisioner.remove(ownTenant(acme), GRANTS)).toEqual([
      `removed: ${principal} may READ TOPIC ${acme}.*`,
      `removed: ${principal} may WRITE TOPIC ${acme}.*`,
      `removed: ${principal} may READ GROUP ${acme}.*`,
      `removed: ${principal} may WRITE TRANSACTIONAL_ID ${acme}.*`,
      `removed ${principal}`,
      `set the quota producer_byte_rate of tenant-${acme} to no limit`,
      `set the quota request_percentage of tenant-${acme} to no limit`,
    ]);
    expect(await world.admin.listTopics()).toContain(`${acme}.${acme}.orders`);
    expect(await provisioner.remove(ownTenant(acme), GRANTS)).toEqual([]);
  });

  it('rejects those at once whose connections are still open', async () => {
    const { acme } = world;
    const { password = '' } = await world.provisioner().apply(ownTenant(acme), GRANTS);
    const config = {
      brokers: requireKafka().saslBrokers,
      sasl: { mechanism: 'SCRAM-SHA-512', username: `tenant-${acme}`, password },
    } as const;
    await using work = await KafkaWork.begin(world.driver({ config }), acme);
    await work.kafka.produce('orders', [{ value: 'before' }]);
    await world.provisioner().remove(ownTenant(acme), GRANTS);
    await expect(work.kafka.produce('orders', [{ value: 'after' }])).rejects.toMatchObject({
      reason: 'TOPIC_AUTHORIZATION_FAILED',
    });
  });

  it('deletes the data of the namespace when told to, and of no other', async () => {
    const { acme, acme2 } = world;
    await world.provisioner().apply(ownTenant(acme), GRANTS);
    await world.createTopics(`${acme}.${acme}.more`, `${acme2}.${acme2}.kept`);
    {
      await using work = await KafkaWork.begin(world.driver(), acme);
      await using _messages = await work.kafka.consume('more', { group: 'readers' });
    }
    const changes = await world.provisioner().remove(ownTenant(acme), GRANTS, { data: 'delete' });
    expect(changes).toEqual(
      expect.arrayContaining([
        `deleted the consumer group ${acme}.${acme}.readers`,
        `deleted the topic ${acme}.${acme}.more`,
        `deleted the topic ${acme}.${acme}.orders`,
      ]),
    );
    const left = (await world.admin.listTopics()).filter((name) => name.startsWith(acme));
    expect(left).toEqual([`${acme2}.${acme2}.kept`]);
  });

  it('does not delete the data of a whole cluster', async () => {
    const provisioner = world.provisioner({ separation: { type: 'physical' } });
    await expect(provisioner.remove(ownTenant(world.acme), {}, { data: 'delete' })).rejects.toThrow('expected "keep"');
  });

  it.each([
    ['everybody', { principal: 'User:*' }],
    ['a group', { principal: 'Group:x' }],
    ['nobody', { principal: 'User:' }],
    ['several lines', { principal: 'User:a\nb' }],
    ['a short password', { password: 'secret' }],
    ['a password of somebody else', { principal: 'User:a', password: 'a password of some length' }],
  ])('rejects %s', async (_, grants) => {
    await expect(world.provisioner().apply(ownTenant(world.acme), grants)).rejects.toThrow(TypeError);
  });

  it('rejects topics that no namespace can have', async () => {
    const grants = { topics: [{ name: '../orders' }] };
    await expect(world.provisioner().apply(ownTenant(world.acme), grants)).rejects.toMatchObject({
      code: 'INVALID_NAME',
    });
  });

  it('gives a namespace with a cluster of its own all of that', async () => {
    const provisioner = world.provisioner({ separation: { type: 'physical' } });
    const grants = { principal: `User:${world.acme}` };
    const { changes } = await provisioner.apply(ownTenant(world.acme), grants);
    expect(changes[0]).toBe(`added: User:${world.acme} may READ TOPIC *`);
    expect(await provisioner.remove(ownTenant(world.acme), grants)).toHaveLength(4);
  });
});
