import type { MemberAsking } from '@lyceum/service';
import { publicContent } from '../publication/publication.state.ts';
import type { PostContent } from './post.events.ts';
import { type PlanReading, holdingsOf, opensPosts, plansThatOpenPosts } from './post.plans.ts';
import type { PostReply } from './post.schema.ts';
import type { Post } from './post.state.ts';

/** Whom a post is locked to, as a view shows it: `unlock` names its plans, none = every plan that opens posts. */
type Lock = Pick<PostReply, 'locked' | 'unlock' | 'visibility' | 'view'>;

/** The locks of posts for one reader: what is the same for all of them is read once. */
export class PostLocks {
  readonly #ports: PlanReading;
  readonly #school: string;
  readonly #member: string | undefined;
  #holdings: ReturnType<typeof holdingsOf> | undefined;
  #opensPosts: Promise<boolean> | undefined;
  #offered: ReturnType<typeof plansThatOpenPosts> | undefined;

  /** `member`: undefined = somebody without a token. */
  constructor(ports: PlanReading, school: string, member: string | undefined) {
    this.#ports = ports;
    this.#school = school;
    this.#member = member;
  }

  /** Whether the reader has a plan that opens the text of a post. `plan_ids`: which do, none = every plan that opens posts. */
  async opens(plan_ids: readonly string[]): Promise<boolean> {
    if (this.#member === undefined) return false;
    const holdings = await (this.#holdings ??= holdingsOf(this.#ports, this.#school, this.#member));
    if (plan_ids.length > 0) return holdings.some(({ plan_id }) => plan_ids.includes(plan_id));
    return (this.#opensPosts ??= this.#anyOpensPosts(holdings));
  }

  async #anyOpensPosts(holdings: Awaited<ReturnType<typeof holdingsOf>>): Promise<boolean> {
    const opened = await Promise.all(holdings.map((each) => opensPosts(this.#ports, this.#school, each)));
    return opened.includes(true);
  }

  /** A post with the plans that open it: those that it names, else those that open posts and can be bought, which change without it. */
  async named<Shown extends Lock>(shown: Shown): Promise<Shown> {
    if (!shown.locked || shown.visibility !== 'plans' || shown.unlock.length > 0) return shown;
    return { ...shown, unlock: [...(await (this.#offered ??= plansThatOpenPosts(this.#ports, this.#school)))] };
  }

  /** A post as the reader finds it: open when they have a plan for it, else with the plans that open it. */
  async settled<Shown extends Lock>(shown: Shown): Promise<Shown> {
    const { locked, visibility, view, unlock } = shown;
    const opened = locked && visibility === 'plans' && view === 'member' && (await this.opens(unlock));
    return opened ? { ...shown, locked: false, unlock: [] } : this.named(shown);
  }
}

/** What a member sees of a post that is for those who have a plan: its text, when they do. */
export async function postForMember(
  ports: PlanReading,
  { school, member }: Pick<MemberAsking, 'school' | 'member'>,
  post: Post,
): Promise<{ readonly locked: false; readonly unlock: []; readonly body: PostContent['body'] } | undefined> {
  const content = publicContent(post);
  if (content?.visibility !== 'plans') return undefined;
  if (!(await new PostLocks(ports, school, member).opens(content.plan_ids))) return undefined;
  return { locked: false, unlock: [], body: content.body };
}
