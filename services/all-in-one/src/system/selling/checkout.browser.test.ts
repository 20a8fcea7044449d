import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type Place, call, describeTopologies, isLongRun, patience } from '@lyceum/testkit';
import { launchBrowser, noBrowser } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { inForce } from '../../testing/in-force.ts';
import { linksIn, mailsTo } from '../../testing/selling/mails-to.ts';

const shots = process.env['SCREENSHOTS'];
const chromium = await launchBrowser();

type Page = Awaited<ReturnType<NonNullable<typeof chromium>['newPage']>>;

/** People buy a course in a real browser, with scripts and without, and have its lesson. */
if (!chromium) describe.skip(`buying in Chromium: ${noBrowser}`, () => test('is not run', () => {}));
else
  await describeTopologies('buying in Chromium', ({ name: topology, open }) => {
    let system: Place;
    let close: () => Promise<unknown>;
    let staff: string;
    const api = (path: string, options: Parameters<typeof call>[1] = {}) =>
      call(`${system.baseUrl}/api${path}`, options);

    beforeAll(async () => {
      ({ system, close } = await open());
      const client = await Client.register(system.baseUrl);
      const scope =
        'courses:read courses:write curriculum:read curriculum:write lecturers:read coupons:write membership_plans:write';
      staff = (await client.tokens('owner@lantern.test', system.password, scope)).access_token;
    }, 400_000);
    afterAll(() => close());

    async function post(path: string, json: object = {}) {
      const made = await api(path, { token: staff, json });
      expect([path, made.status, made.status < 300]).toEqual([path, made.status, true]);
      return made.body;
    }

    /** A course of one lesson that costs ten dollars. */
    async function publishedCourse(title: string): Promise<{ id: string; slug: string }> {
      const [lecturer] = (await api('/lecturers', { token: staff })).body.data;
      const prices = [{ amount: 1_000, currency: 'USD' }];
      const { id, slug } = await post('/courses', { title, access: 'paid', prices, lecturer_ids: [lecturer.id] });
      const section = await post(`/courses/${id}/sections`, { title: 'All' });
      const release = { type: 'immediate' };
      const lesson = await post(`/courses/${id}/lessons`, {
        section_id: section.id,
        title: 'First',
        type: 'text',
        release,
      });
      await post(`/courses/${id}/lessons/${lesson.id}/publish`);
      await post(`/courses/${id}/publish`);
      return { id, slug };
    }

    /** Whether the lesson of a course is open to somebody, once what follows from a payment has followed. */
    async function reaches(email: string, password: string, course: string): Promise<boolean> {
      const client = await Client.register(system.baseUrl);
      const { access_token: token } = await client.tokens(email, password, 'courses:read curriculum:read');
      const read = async () =>
        (await api(`/courses/${course}/curriculum`, { token })).body.sections?.[0].lessons[0].locked === false;
      return inForce(patience, read, (isOpen) => isOpen);
    }

    /** A plan for nine dollars a month, with days before it that cost nothing. */
    async function publishedPlan(name: string, trial_days: number): Promise<string> {
      const { id } = await post('/membership_plans', {
        name: `${name} ${randomUUID()}`,
        trial_days,
        price: { amount: 900 },
        grants: { posts: true },
      });
      await post(`/membership_plans/${id}/publish`);
      return id;
    }

    const picture = (page: Page, name: string) =>
      shots && page.screenshot({ path: join(shots, `system-${name}.png`), fullPage: true });

    /** Opens an address again until the page says something. */
    async function until(page: Page, url: string, selector: string): Promise<void> {
      await inForce(
        patience,
        async () => {
          await page.goto(url);
          return page.locator(selector).count();
        },
        (count) => count > 0,
      );
    }

    /** Goes from the page of a course to the checkout. */
    async function toCheckout(page: Page, slug: string): Promise<void> {
      await until(page, `${system.baseUrl}/courses/${slug}`, '.buttons a.primary');
      await page.click('.buttons a.primary');
      await inForce(
        patience,
        async () => {
          if ((await page.locator('form[method=post]').count()) === 0) await page.reload();
          return page.locator('form[method=post]').count();
        },
        (count) => count > 0,
      );
    }

    const pay = 'form[method=post] button.primary';
    const succeed = 'button[value=succeed]';

    /** Every way in a long run, in both topologies; else one, and a member in one process. */
    const ways = [
      ['without scripts', false],
      ['with scripts', true],
    ] as const;
    test.each(isLongRun ? ways : ways.slice(0, 1))(
      'a guest buys %s, opens an account by the mail, and has the lesson',
      async (name, javaScriptEnabled) => {
        const course = await publishedCourse(`Bought by a guest ${name}`);
        const context = await chromium!.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        const email = `guest-${randomUUID()}@buyers.test`;
        await toCheckout(page, course.slug);
        expect(await page.textContent(pay)).toBe('Pay $10.00');
        await picture(page, `guest-${javaScriptEnabled}`);
        await page.fill('#email', email);
        await page.fill('#name', 'Ada');
        await page.click(pay);
        await page.waitForURL('**/checkout/order_*');
        // The page is this browser's alone, and its address tells nothing.
        const stranger = await chromium!.newContext();
        expect((await (await stranger.newPage()).goto(page.url()))?.status()).toBe(404);
        await stranger.close();
        await page.click('button[value=fail]');
        expect(await page.textContent('h1')).toBe('The payment failed');
        await page.click('button[value=retry]');
        await page.click(succeed);
        expect(await page.textContent('h1')).toBe('Thank you, it is paid');
        await until(page, page.url(), `a[href="/courses/${course.slug}"]`);
        await picture(page, `guest-${javaScriptEnabled}-paid`);
        const links = await inForce(
          patience,
          async () => (await mailsTo(system.dataDir, email)).flatMap((mail) => linksIn(mail, '/oauth/sign-up')),
          ({ length }) => length > 0,
        );
        await page.goto(links[0]!);
        const password = 'seven kites above the harbour';
        await page.fill('#password', password);
        await page.click('button.primary');
        expect(await reaches(email, password, course.id)).toBe(true);
        await context.close();
      },
    );

    // Between separate processes it is the guest who waits for most: the others are there in a long run.
    if (!isLongRun && topology === 'split') return;

    test.each(ways)('a member signs in on the way, comes back and buys %s', async (name, javaScriptEnabled) => {
      const course = await publishedCourse(`Bought by a member ${name}`);
      const context = await chromium!.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await toCheckout(page, course.slug);
      await page.click('.signin a');
      await page.fill('#email', 'student@lantern.test');
      await page.fill('#password', system.password);
      await page.click('button.primary');
      await page.waitForURL('**/checkout?item=**');
      expect(await page.locator('#email').count()).toBe(0);
      expect(await page.textContent('.buyer p')).toMatch(/^You are signed in as /);
      await picture(page, `member-${javaScriptEnabled}`);
      // Twice, as people do: it is bought once.
      await page.dblclick(pay, { noWaitAfter: true });
      // The second form ends the navigation of the first, for which a wait for the address would give up.
      const address = async () => page.url();
      expect(await inForce(patience, address, (url) => url.includes('/checkout/order_'))).toContain('/checkout/order_');
      await page.click(succeed);
      expect(await page.textContent('h1')).toBe('Thank you, it is paid');
      expect(await reaches('student@lantern.test', system.password, course.id)).toBe(true);
      await until(page, `${system.baseUrl}/checkout?item=course:${course.slug}`, 'a[href="/oauth/account"]');
      expect(await page.textContent('h1')).toBe('You have this already');
      await context.close();
    });

    if (!isLongRun) return;

    test.each([
      [
        'with a trial, which begins when the later payments are agreed to',
        14,
        'One step is left',
        'your membership has begun',
      ],
      ['without one', 0, 'Waiting for your payment', 'it is paid'],
    ])('a member subscribes to a plan %s', async (name, trial_days, waiting, begun) => {
      const plan = await publishedPlan(`A plan ${name}`, trial_days);
      const address = `${system.baseUrl}/checkout?item=membership_plan:${plan}`;
      const context = await chromium!.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(address);
      await page.click('.signin a');
      await page.fill('#email', 'student@lantern.test');
      await page.fill('#password', system.password);
      await page.click('button.primary');
      await page.waitForURL('**/checkout?item=**');
      const today = trial_days > 0 ? 'nothing' : '\\$9\\.00';
      expect(await page.textContent('#agreement')).toMatch(
        new RegExp(
          `^By subscribing you agree to pay ${today} today, \\$9\\.00 on .* then \\$9\\.00 per month, until you end`,
        ),
      );
      await picture(page, `plan-${trial_days}`);
      await page.click(pay);
      await page.waitForURL('**/checkout/order_*');
      expect(await page.textContent('h1')).toBe(waiting);
      await page.click('button[value=fail]');
      expect(await page.textContent('h1')).toBe('The payment failed');
      await page.click('button[value=retry]');
      await page.click(succeed);
      expect(await page.textContent('h1')).toBe(`Thank you, ${begun}`);
      expect(await page.textContent('.buyer')).toContain('You can end it at any time');
      await picture(page, `plan-${trial_days}-begun`);
      await until(page, address, 'a[href="/oauth/account"]');
      expect(await page.textContent('h1')).toBe('You are subscribed already');
      await context.close();
    });

    test('what costs nothing after a coupon is had at once', async () => {
      const course = await publishedCourse('Bought with a coupon');
      const code = `GIFT${randomUUID().slice(0, 8)}`.toUpperCase();
      await post('/coupons', { code, kind: 'percent', value: 100 });
      const context = await chromium!.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await toCheckout(page, course.slug);
      await page.fill('#coupon', 'NOTHING');
      await page.click('form[method=get] button');
      expect(await page.getAttribute('#coupon', 'aria-invalid')).toBe('true');
      await page.fill('#coupon', code);
      await page.click('form[method=get] button');
      expect(await page.textContent(pay)).toBe('Get it free');
      await page.fill('#email', `free-${randomUUID()}@buyers.test`);
      await page.click(pay);
      await page.waitForURL('**/checkout/order_*');
      expect(await page.textContent('h1')).toBe('Thank you, it is yours');
      await context.close();
    });
  });

afterAll(() => chromium?.close());
