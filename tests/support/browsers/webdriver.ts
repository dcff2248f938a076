/**
 * A browser window driven by WebDriver (W3C), over any transport: the actions of a person, and
 * questions of a test.
 */
import { setTimeout as pause } from 'node:timers/promises';

/** Command names are those of the standard's table; returns the command's value. */
export type Command =
  | 'Navigate'
  | 'ExecuteAsyncScript'
  | 'FindElement'
  | 'ElementClick'
  | 'ElementSendKeys'
  | 'SetTimeouts';
type Send = (command: Command, params: Record<string, unknown>) => Promise<unknown>;

export interface Tab {
  goto: (url: string) => Promise<void>;
  reload: () => Promise<void>;
  /** Runs in the page; the function must not use any outer variable. */
  run: <A extends unknown[], T>(work: (...args: A) => T | Promise<T>, ...args: A) => Promise<T>;
  /** Repeats the question until the answer is true, also across a reload. */
  until: <A extends unknown[]>(
    condition: (...args: A) => boolean | Promise<boolean>,
    ...args: A
  ) => Promise<void>;
  /** A real click on the button of this name. */
  press: (name: string) => Promise<void>;
  /** Real keys into the field of this label. */
  type: (label: string, text: string) => Promise<void>;
  /** A real click in the middle of the element at this XPath. */
  click: (xpath: string) => Promise<void>;
  /**
   * Real keys to the element at this XPath; keys without a letter use the standard's code points.
   */
  sendKeys: (xpath: string, text: string) => Promise<void>;
}

/** A browser of the tests with one window. */
export interface Driven extends AsyncDisposable {
  name: string;
  version: string;
  tab: Tab;
}

const patienceMs = 20_000;

export async function openTab(send: Send): Promise<Tab> {
  await send('SetTimeouts', { script: patienceMs, pageLoad: patienceMs });

  async function run<A extends unknown[], T>(
    work: (...args: A) => T | Promise<T>,
    ...args: A
  ): Promise<T> {
    const script = `const given = [...arguments], done = given.pop();
      Promise.resolve().then(() => (${work.toString()})(...given)).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const answer = (await send('ExecuteAsyncScript', { script, args })) as {
      value?: T;
      error?: string;
    };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as T;
  }

  /**
   * Between two documents, and while React renders, the element is missing, so the search is
   * repeated.
   */
  async function patiently<T>(what: string, attempt: () => Promise<T | null>): Promise<T> {
    let last: unknown = null;
    for (const end = performance.now() + patienceMs; performance.now() < end;) {
      try {
        const found = await attempt();
        if (found !== null) return found;
      } catch (error) {
        last = error;
      }
      await pause(20);
    }
    const shown = await run(() => document.body.innerText).catch(String);
    throw new Error(`it never happened: ${what}\nThe page says: ${shown}`, { cause: last });
  }

  async function act(
    xpath: string,
    command: Command,
    params: Record<string, unknown> = {},
  ): Promise<void> {
    await patiently(`${command} ${xpath}`, async () => {
      const element = (await send('FindElement', { using: 'xpath', value: xpath })) as Record<
        string,
        string
      >;
      await send(command, { id: Object.values(element)[0]!, ...params });
      return true;
    });
  }

  async function until<A extends unknown[]>(
    condition: (...args: A) => boolean | Promise<boolean>,
    ...args: A
  ): Promise<void> {
    await patiently(condition.toString(), async () => (await run(condition, ...args)) || null);
  }

  return {
    run,
    until,
    goto: async (url) => {
      await send('Navigate', { url });
    },
    async reload() {
      // Firefox's own Refresh command bypasses the service worker, which a person's reload does
      // not.
      const before = await run(() => {
        setTimeout(() => location.reload());
        return performance.timeOrigin;
      });
      await until(
        (origin) => performance.timeOrigin !== origin && document.readyState === 'complete',
        before,
      );
    },
    press: (name) =>
      act(
        `//button[normalize-space()="${name}" or @aria-label="${name}"][not(@disabled)]`,
        'ElementClick',
      ),
    type: (label, text) =>
      act(`//input[@id=//label[normalize-space()="${label}"]/@for]`, 'ElementSendKeys', { text }),
    click: (xpath) => act(xpath, 'ElementClick'),
    sendKeys: (xpath, text) => act(xpath, 'ElementSendKeys', { text }),
  };
}
