import { Router, type RouterContext } from '@koa/router';
import { type Permission, mediaPaths, schoolHeader } from '@lyceum/contracts';
import {
  type Middleware,
  Problem,
  anyOrigin,
  methodNotAllowed,
  refuseVisitorsWhereClosed,
  sendableFromAnyOrigin,
} from '@lyceum/web';
import type { MediaPorts } from '../ports/media-ports.ts';
import { answerFile, readyFile } from './read.ts';
import { bytesHere, takeBytes } from './send.ts';

/** Seconds that a public file is kept by caches: an id stands for the same bytes for ever, but it may be deleted. */
const keptPublic = 86_400;

/** Seconds that an avatar is: the person in it may be erased. */
const keptAvatar = 300;

const readable = anyOrigin(['ETag', 'Content-Range', 'Accept-Ranges', 'Content-Disposition', 'Upload-Offset']);
const sendable = sendableFromAnyOrigin(
  ['GET', 'HEAD', 'PUT'],
  ['Content-Type', 'Content-Range', 'Range', 'If-Match', 'If-None-Match', 'If-Range'],
);

/** A path below `/media`, and what answers there. */
interface Endpoint {
  readonly path: string;
  readonly methods: readonly string[];
  serve(context: RouterContext, at: { readonly school: string; readonly segment: string }): Promise<void>;
}

/** The endpoints for the bytes of files, by signed paths and, where a file is public, by its id. */
export const byteEndpoints = (ports: MediaPorts): readonly Middleware[] => [
  routerOf(endpointsOf(ports), ({ school }) => ports.trust.school(school) !== undefined).routes(),
];

const endpointsOf = (ports: MediaPorts): readonly Endpoint[] => [
  {
    path: `${mediaPaths.sending}/:segment`,
    methods: ['PUT', 'HEAD'],
    async serve(context, at) {
      refuseVisitorsWhereClosed(at.school, ports.trust);
      const permission = permissionFor('send', at, ports);
      const here = context.method === 'HEAD' ? bytesHere(permission, ports) : takeBytes(context, permission, ports);
      context.set({ 'Upload-Offset': String(await here), 'Cache-Control': 'no-store' });
      context.status = 204;
    },
  },
  {
    path: `${mediaPaths.privateFiles}/:segment`,
    methods: ['GET', 'HEAD'],
    async serve(context, at) {
      const permission = permissionFor('read', at, ports);
      const left = permission.expires - Math.floor(ports.clock.now() / 1_000);
      await answerFile(context, permission, await readyFile(permission, ports), ports, `private, max-age=${left}`);
    },
  },
  {
    path: `${mediaPaths.publicFiles}/:segment`,
    methods: ['GET', 'HEAD'],
    async serve(context, { school, segment }) {
      // Signed addresses stay good: people who leave a school that is not open take with them what is theirs.
      refuseVisitorsWhereClosed(school, ports.trust);
      const place = { school, id: segment };
      const upload = segment.startsWith('upload_') ? await readyFile(place, ports) : undefined;
      if (upload?.access !== 'public') throw new Problem('not_found');
      const kept = upload.purpose === 'avatar' ? keptAvatar : keptPublic;
      await answerFile(context, place, upload, ports, `public, max-age=${kept}`);
    },
  },
];

/** What a signed segment permits here and now. Throws 404 for all that is not ours, and 410 for what was. */
function permissionFor(
  to: Permission['to'],
  { school, segment }: { readonly school: string; readonly segment: string },
  { signed, clock }: Pick<MediaPorts, 'signed' | 'clock'>,
): Permission {
  const permission = signed.open(segment);
  if (permission?.to !== to || permission.school !== school) throw new Problem('not_found');
  if (permission.expires * 1_000 <= clock.now())
    throw new Problem('gone', 'The address has expired: ask for a new one');
  return permission;
}

function routerOf(endpoints: readonly Endpoint[], isKnown: (at: { readonly school: string }) => boolean): Router {
  const router = new Router({ sensitive: true, strict: true });
  for (const { path, methods, serve } of endpoints)
    router.all(path, async (context) => {
      context.state.route = path.replace(':segment', '{signed}');
      context.set(readable);
      if (context.method === 'OPTIONS') {
        context.set(sendable);
        context.status = 204;
        return;
      }
      if (!methods.includes(context.method)) throw methodNotAllowed(methods);
      const school = context.get(schoolHeader);
      if (!isKnown({ school })) throw new Problem('not_found', 'There is no school at this address');
      context.state.school = school;
      try {
        await serve(context, { school, segment: context.params['segment'] ?? '' });
      } catch (error) {
        // What is left of the bytes is not read.
        if (!context.req.complete) context.set('Connection', 'close');
        throw error;
      }
    });
  return router;
}
