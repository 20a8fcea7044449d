import { isObject } from '@lyceum/kernel';
import { isDeepStrictEqual } from 'node:util';
import { oauthPaths, scopes, wellKnownPaths } from '@lyceum/contracts';
import type { Site } from '../metadata/oauth-metadata.ts';

export type Json = Record<string, unknown>;

/** Two services describe one thing differently, or describe what is not theirs. The process must not start so. */
export class OpenApiConflict extends Error {
  override readonly name = 'OpenApiConflict';
}

/** A service's own OpenAPI document. */
export interface ServiceDescription {
  readonly service: string;
  readonly document: Json;
  /** Whether it does not come with Lyceum: whatever it says, the others are described as if it were not there. */
  readonly isAdded?: boolean;
}

/** What all services together offer, before it is put under a school's address. */
export interface MergedApi {
  readonly tags: readonly Json[];
  readonly paths: Json;
  /** By section, e.g. `schemas`, then by name. */
  readonly components: Record<string, Json>;
}

/** A member that is an object; empty when it is absent. */
export const object = (value: unknown): Json => (isObject(value) ? value : {});

/** A member that is a list of objects; empty when it is absent. */
export const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Adds entries to a section; the same name with another content is a conflict, the same content twice is not. */
function add(section: Json, entries: Json, what: string, service: string): void {
  for (const [name, content] of Object.entries(entries)) {
    if (Object.hasOwn(section, name) && !isDeepStrictEqual(section[name], content))
      throw new OpenApiConflict(`${service} describes ${what} ${name} differently from another service`);
    section[name] = content;
  }
}

/**
 * One document out of the services' own. `ownerOf` gives the service that owns a path. Throws `OpenApiConflict`
 * when two services describe a path or a component differently, when a path would not reach the service that describes it, or
 * when an operation asks for a security scheme that does not exist.
 */
export function mergeApis(
  described: readonly ServiceDescription[],
  ownerOf: (path: string) => string | undefined,
): MergedApi {
  const tags: Json = {};
  const paths: Json = {};
  const components: Record<string, Json> = {};
  for (const { service, document } of described) {
    for (const path of Object.keys(object(document['paths'])))
      if (ownerOf(path) !== service)
        throw new OpenApiConflict(
          `${service} describes ${path}, which the gateway sends to ${ownerOf(path) ?? 'nobody'}`,
        );
    add(paths, object(document['paths']), 'the path', service);
    for (const tag of objects(document['tags'])) add(tags, { [String(tag['name'])]: tag }, 'the tag', service);
    for (const [section, entries] of Object.entries(object(document['components']))) {
      if (section === 'securitySchemes') continue;
      add((components[section] ??= {}), object(entries), `the component ${section}.`, service);
    }
  }
  checkSecurity(paths);
  return { tags: Object.values(tags).map(object), paths: withEdge(paths), components };
}

/** What the edge answers before any service sees the request, so every operation may. */
const edgeResponses: Json = {
  400: { description: '`invalid_request`: The request is malformed.' },
  414: { description: '`invalid_request`: The URL is longer than this server reads.' },
  431: { description: '`invalid_request`: The head of the request is larger than this server reads.' },
};

const withEdge = (paths: Json): Json =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(object(item)).map(([method, operation]) => [method, withEdgeResponses(object(operation))]),
      ),
    ]),
  );

const withEdgeResponses = (operation: Json): Json => ({
  ...operation,
  responses: { ...edgeResponses, ...object(operation['responses']) },
});

function checkSecurity(paths: Json): void {
  for (const [path, item] of Object.entries(paths))
    for (const operation of Object.values(object(item)))
      for (const requirement of objects(object(operation)['security']))
        for (const scheme of Object.keys(requirement))
          if (!securitySchemeNames.includes(scheme))
            throw new OpenApiConflict(`${path} asks for the security scheme ${scheme}, which does not exist`);
}

/** The scopes that open an operation today. */
export const openedScopes = ({ paths }: Pick<MergedApi, 'paths'>): ReadonlySet<string> =>
  new Set(
    Object.values(paths)
      .flatMap((item) => Object.values(object(item)))
      .flatMap((operation) => objects(object(operation)['security']))
      .flatMap((requirement) => Object.values(requirement) as string[][])
      .flat(),
  );

/** The security schemes, by the name that `security` of an operation uses. */
const securitySchemeNames: readonly string[] = ['oauth2', 'openIdConnect'];

const securitySchemes = (baseUrl: string): Json => ({
  oauth2: {
    type: 'oauth2',
    description: 'Authorization code with PKCE (S256). Clients register themselves at the registration endpoint.',
    flows: {
      authorizationCode: {
        authorizationUrl: baseUrl + oauthPaths.authorize,
        tokenUrl: baseUrl + oauthPaths.token,
        refreshUrl: baseUrl + oauthPaths.token,
        scopes: Object.fromEntries(Object.entries(scopes).map(([name, { grants }]) => [name, grants])),
      },
    },
  },
  openIdConnect: { type: 'openIdConnect', openIdConnectUrl: baseUrl + wellKnownPaths.openidConfiguration },
});

/** The description of each area, in the order in which a newcomer reads it: the protocol comes last. */
const areas: Readonly<Record<string, string>> = {
  courses: 'Courses: read, write, publish, archive',
  curriculum: 'Sections and lessons of a course, their order and their release',
  lecturers: 'The people who teach, as their public profiles',
  digital_products: 'Files that the school sells or gives away',
  membership_plans: 'What members pay for, again and again or once, and what it opens',
  events: 'The calendar: events with seats and a waitlist, and who comes',
  coupons: 'What takes something off a price: terms, limits, redemptions',
  storage: 'Files: what is uploaded, and how it is read',
  students: 'Members with access to courses, and where it comes from',
  orders: 'What people buy: quotes, checkout, payments and refunds',
  checkout: 'The pages on which people buy',
  pages: 'Pages of the school’s site: their drafts, revisions, and when they are published',
  posts: 'What the school writes, for everybody, its members or those who have a plan',
  comments: 'What members write about posts, lessons and courses, and its moderation',
  forms: 'What pages ask visitors for, and what they sent',
  form_pages: 'Forms of the school’s pages, as browsers send them',
  subscriptions: 'Who has which membership plan, what it costs them, and until when',
  analytics: 'What happened in the school, in figures: revenue, enrollments, cohorts, subscriptions',
  certificates: 'Certificates of completion, which anybody can verify',
  school: 'The school itself: name, settings, domains',
  appearance: 'Colours and logo, as a draft and as published',
  members: 'People who have a role at the school',
  account: 'The account of the signed-in person, with its sessions and connected clients',
  changes: 'What has happened in the school, as a list to poll or a stream of server-sent events',
  discovery: 'Documents that describe the school to clients',
  oauth: 'Registration of clients, sign-in, tokens: begin with /auth.md, which goes through it step by step',
};

function inReadingOrder(tags: readonly Json[]): Json[] {
  const order = Object.keys(areas);
  const placeOf = ({ name }: Json): number =>
    order.includes(String(name)) ? order.indexOf(String(name)) : order.length;
  const described = tags.map((tag) => ({ description: areas[String(tag['name'])], ...tag }));
  return described.sort((a: Json, b: Json) => placeOf(a) - placeOf(b));
}

/** The OpenAPI 3.0 document of one school. */
export const openApi = (api: MergedApi, { baseUrl, name, docsUrl }: Site): Json => ({
  openapi: '3.0.3',
  info: {
    title: name,
    version: '1.0.0',
    contact: { name, url: baseUrl },
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    description: `A request without a token is served as an anonymous one. How to register a client, sign a person in and call the API, with the conventions of all operations and every error code: [auth.md](${baseUrl}/auth.md). Changes are additive.`,
    // The language of all descriptions: the reference shows its own words in it too, whatever the browser prefers.
    'x-locale': 'en',
  },
  servers: [{ url: baseUrl }],
  externalDocs: { url: docsUrl },
  tags: inReadingOrder(api.tags),
  paths: api.paths,
  components: { ...api.components, securitySchemes: securitySchemes(baseUrl) },
});
