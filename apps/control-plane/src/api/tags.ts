/** The groups of operations in the API pages, in the order in which they are shown, each with a sentence. */
export const TAGS = {
  Tenants: 'Who owns which namespaces, and where their requests go.',
  Routing: 'Where a namespace goes, and why.',
  Access: 'Which users reach which namespaces, and through which pool.',
  Pools: 'Proxies by pool, with their health and what is routed to them.',
  Proxies: 'Proxies that register themselves, and what operators do with any.',
  'Load balancer': 'What it was made to do, and whether it does.',
  Status: 'Who leads, what the leader has done, and what is pending.',
  Audit: 'What was done and refused, in a chain of hashes that shows every change to it.',
  Sizing: 'How many proxies and connections a number of tenants needs.',
} as const;

export type Tag = keyof typeof TAGS;
