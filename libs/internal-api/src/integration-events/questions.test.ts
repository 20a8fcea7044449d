import { expect, test } from '@jest/globals';
import { Questions } from './questions.ts';

/** A peer that answers when it is told to. */
function slowPeer() {
  const sent: { text: string; answer(value: string): void; fail(): void }[] = [];
  const questions = new Questions();
  const ask = (text: string) =>
    questions.ask(
      text,
      () =>
        new Promise<string>((resolve, reject) =>
          sent.push({ text, answer: resolve, fail: () => reject(new Error(`no answer to ${text}`)) }),
        ),
    );
  const texts = () => sent.map((each) => each.text);
  return { ask, sent, texts };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('four are under way at a time, the others follow in the order in which they were asked', async () => {
  const { ask, sent, texts } = slowPeer();
  const answers = ['1', '2', '3', '4', '5', '6'].map(ask);
  await turn();
  expect(texts()).toEqual(['1', '2', '3', '4']);
  sent[2]!.answer('three');
  expect(await answers[2]).toBe('three');
  await turn();
  expect(texts()).toEqual(['1', '2', '3', '4', '5']);
  for (let at = 0; at < 6; at += 1) {
    sent[at]!.answer('late');
    await turn();
  }
  expect(await Promise.all(answers)).toEqual(['late', 'late', 'three', 'late', 'late', 'late']);
});

test('who asks what waits gets the same answer; what is under way is asked again, for it may be of before', async () => {
  const { ask, sent, texts } = slowPeer();
  const first = ask('a');
  ['b', 'c', 'd'].map(ask);
  await turn();
  const [again, too] = [ask('a'), ask('a')];
  expect(texts()).toEqual(['a', 'b', 'c', 'd']);
  sent[0]!.answer('old');
  await first;
  await turn();
  expect(texts()).toEqual(['a', 'b', 'c', 'd', 'a']);
  sent[4]!.answer('new');
  expect(await Promise.all([first, again, too])).toEqual(['old', 'new', 'new']);
});

test('who asks the same in one turn of the event loop gets one answer', async () => {
  const { ask, sent, texts } = slowPeer();
  const answers = ['a', 'b', 'a', 'a'].map(ask);
  await turn();
  expect(texts()).toEqual(['a', 'b']);
  sent[0]!.answer('one');
  sent[1]!.answer('two');
  expect(await Promise.all(answers)).toEqual(['one', 'two', 'one', 'one']);
});

test('a failure is everybody’s who waited for the answer, and holds up nothing', async () => {
  const { ask, sent, texts } = slowPeer();
  const first = ask('a');
  await turn();
  sent[0]!.fail();
  await expect(first).rejects.toThrow('no answer to a');
  const [one, other] = [ask('a'), ask('b')];
  await turn();
  sent[1]!.answer('now');
  sent[2]!.answer('too');
  expect(await Promise.all([one, other])).toEqual(['now', 'too']);
  expect(texts()).toEqual(['a', 'a', 'b']);
});

test('a question that cannot be sent fails alone', async () => {
  const questions = new Questions();
  const broken = questions.ask('a', async () => {
    throw new Error('no network');
  });
  await expect(broken).rejects.toThrow('no network');
  expect(await questions.ask('b', async () => 'fine')).toBe('fine');
});
