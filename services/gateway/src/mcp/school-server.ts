import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { complete } from './resources/completions.ts';
import { confirmations } from './tools/confirmation.ts';
import { listCursors } from './tools/list-cursor.ts';
import { implementation } from '../discovery/metadata/mcp-server-card.ts';
import { signInAlias } from '../routing/mcp-paths.ts';
import { getPrompt, promptList } from './resources/prompts.ts';
import { type DocumentAt, readResource, resourceList, resourceTemplates } from './resources/resources.ts';
import type { ServerDefinition, CallContext } from './server/server-definition.ts';
import { ToolProblem } from './tools/tool.ts';
import { Toolbox } from './tools/toolbox.ts';
import { fetchOne, getCourse, getLecturer, lookupCourses, search } from './tools/reading/course-tools.ts';
import { listEvents, listOffers, listPosts } from './tools/reading/list-tools.ts';
import { listMyCourses } from './tools/reading/my-courses.ts';
import { getMyAccount, getSchool } from './tools/reading/school-tools.ts';
import { getQuote } from './tools/reading/quote-tool.ts';
import { searchCourses } from './tools/reading/search-courses.ts';
import { publishCourse, upsertCourse } from './tools/authoring/course-tools.ts';
import { orderCurriculum, publishLesson, upsertLesson, upsertSection } from './tools/authoring/lesson-tools.ts';
import { getAnalyticsSummary } from './tools/analytics/analytics-tools.ts';
import { enrollStudent, listStudents } from './tools/students/student-tools.ts';
import { listOrders } from './tools/orders/order-tools.ts';
import {
  cancelSubscription,
  listMySubscriptions,
  listSubscriptions,
} from './tools/subscriptions/subscription-tools.ts';

/** The same for every caller: `server/discover` may be shared. */
const instructionsOf =
  (hasSignInAlias: boolean) =>
  ({ caller: { school, origin = school.baseUrl } }: CallContext): string =>
    [
      `This is ${school.name}, an online school. Everything public can be read without signing in: search_courses finds courses, get_course reads one, list_offers tells prices, get_quote what several cost together or with a coupon; a person buys at its checkout_url.`,
      `Signing in is optional. It adds what belongs to the person (get_my_account; list_my_courses with progress and the next lesson; list_my_subscriptions), and for those who teach or manage drafts and the tools that write them, in this order for a new course: upsert_course, upsert_section, upsert_lesson, publish_lesson, publish_course; order_curriculum moves lessons; list_students and enroll_student are about who learns, list_orders about who bought what, list_subscriptions and cancel_subscription about who has which plan, get_analytics_summary sums up what happened. A signed-in person is shown every tool that the role allows; a call beyond the scopes of the token is answered by 403 with the scopes to ask for.`,
      hasSignInAlias ? `To sign in, connect to ${origin}${signInAlias}: the same server, which asks for it.` : '',
      `How a client registers and signs a person in: ${school.baseUrl}/auth.md.`,
    ]
      .filter((sentence) => sentence !== '')
      .join(' ');

/** The same for every caller, so it may be shared; milliseconds. */
const shared = { ttlMs: 300_000, cacheScope: 'public' } as const;
/** Varies by token, so it is never shared, not even among the anonymous. */
const own = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** Lists fit on one page, so no cursor of theirs was ever given out. */
function whole<T>(list: T): (params: Readonly<Record<string, unknown>>) => T {
  return ({ cursor }) => {
    if (cursor === undefined) return list;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one of this list');
  };
}

/** What every school offers to agents. `secret` signs cursors and confirmations; the same in every replica. */
export function schoolServer({
  secret,
  document,
  hasSignInAlias = false,
}: {
  readonly secret: string;
  readonly document: DocumentAt;
  readonly hasSignInAlias?: boolean;
}): ServerDefinition {
  const instructions = instructionsOf(hasSignInAlias);
  const cursors = listCursors(secret);
  const confirmation = confirmations(secret);
  const tools = new Toolbox([
    searchCourses(cursors),
    lookupCourses,
    getCourse,
    listOffers(cursors),
    getQuote,
    listEvents(cursors),
    listPosts(cursors),
    getLecturer,
    getSchool,
    search(cursors),
    fetchOne,
    getMyAccount,
    listMyCourses(cursors),
    listMySubscriptions(cursors),
    upsertCourse(confirmation),
    upsertSection(confirmation),
    upsertLesson(confirmation),
    orderCurriculum,
    publishLesson,
    publishCourse,
    listStudents(cursors),
    enrollStudent,
    getAnalyticsSummary,
    listOrders(cursors),
    listSubscriptions(cursors),
    cancelSubscription(confirmation),
  ]);
  return {
    info: implementation,
    options: {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
      cacheHints: {
        'server/discover': shared,
        'prompts/list': shared,
        'resources/list': shared,
        'resources/templates/list': shared,
        'tools/list': own,
        'resources/read': { ttlMs: 0, cacheScope: 'private' },
      },
      requestState: { verify: (state, context) => confirmation.verify(state, context) },
      inputRequired: { legacyShim: false },
    },
    instructions,
    methods: {
      'tools/list': (params, call) => whole(tools.list(call))(params),
      'tools/call': (params, call, context) => tools.call(params, call, context),
      'resources/list': whole(resourceList),
      'resources/templates/list': whole(resourceTemplates),
      'resources/read': (params, call) => readable(() => readResource(params, call, document)),
      'prompts/list': whole(promptList),
      'prompts/get': (params) => getPrompt(params),
      'completion/complete': (params, call) => complete(params, call),
    },
    scopesOf: (name) => tools.scopesOf(name),
  };
}

/** A service's refusal of a resource, as the protocol says it. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ToolProblem) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    throw error;
  }
}
