/** What node-oidc-provider keeps of anything. */
export type Payload = Readonly<Record<string, unknown>> & { readonly grantId?: string; readonly uid?: string };

/** Where node-oidc-provider keeps what it has to remember: one for each of its models. */
export interface PeerAdapter {
  upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/** Makes the adapter of a model. */
export type AdapterOf = (model: string) => PeerAdapter;

/** In memory. The adapter that it brings forgets beyond 1,000 entries, with which codes and sessions vanish under load. */
export function memoryAdapter(): AdapterOf {
  const kept = new Map<string, Payload>();
  const uids = new Map<string, string>();
  const grants = new Map<string, string[]>();
  return (model) => {
    const key = (id: string): string => `${model}:${id}`;
    return {
      async upsert(id, payload) {
        kept.set(key(id), payload);
        if (model === 'Session' && payload.uid !== undefined) uids.set(payload.uid, id);
        if (payload.grantId === undefined) return;
        const of = grants.get(payload.grantId);
        if (of) of.push(key(id));
        else grants.set(payload.grantId, [key(id)]);
      },
      find: async (id) => kept.get(key(id)),
      findByUid: async (uid) => kept.get(key(uids.get(uid) ?? '')),
      async consume(id) {
        const found = kept.get(key(id));
        if (found) kept.set(key(id), { ...found, consumed: Math.floor(Date.now() / 1_000) });
      },
      async destroy(id) {
        kept.delete(key(id));
      },
      async revokeByGrantId(grantId) {
        for (const each of grants.get(grantId) ?? []) kept.delete(each);
        grants.delete(grantId);
      },
    };
  };
}
