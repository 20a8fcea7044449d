import type { AdapterOf, Payload } from './peer-adapter.ts';

/** On Redis: one JSON text for each thing, one list of keys for each grant; what belongs together goes in one round trip. */
export async function redisAdapter(url: string): Promise<AdapterOf> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { enableAutoPipelining: true });
  const read = async (key: string): Promise<Payload | undefined> => {
    const text = await redis.get(key);
    return text === null ? undefined : (JSON.parse(text) as Payload);
  };
  return (model) => {
    const key = (id: string): string => `${model}:${id}`;
    return {
      async upsert(id, payload, expiresIn) {
        const all = redis.multi();
        if (expiresIn === undefined) all.set(key(id), JSON.stringify(payload));
        else all.set(key(id), JSON.stringify(payload), 'EX', expiresIn);
        if (model === 'Session' && payload.uid !== undefined) all.set(`uid:${payload.uid}`, id);
        if (payload.grantId !== undefined) all.rpush(`grant:${payload.grantId}`, key(id));
        await all.exec();
      },
      find: (id) => read(key(id)),
      findByUid: async (uid) => read(key((await redis.get(`uid:${uid}`)) ?? '')),
      async consume(id) {
        const found = await read(key(id));
        const consumed = { ...found, consumed: Math.floor(Date.now() / 1_000) };
        if (found) await redis.set(key(id), JSON.stringify(consumed), 'KEEPTTL');
      },
      async destroy(id) {
        await redis.del(key(id));
      },
      async revokeByGrantId(grantId) {
        const keys = await redis.lrange(`grant:${grantId}`, 0, -1);
        await redis.del(`grant:${grantId}`, ...keys);
      },
    };
  };
}
