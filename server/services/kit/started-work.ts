/**
 * Notes the office's long requests while they run, so that another tab, another person and the
 * next process know of them.
 */
import { dropWork, insertWork, noteWork } from '#db/office/started-work.ts';
import type { Trx } from '#db/engine/dialect.ts';
import type { FileAnswer } from '#server/contract/endpoint.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refusals } from '#server/domain/refusal-words.ts';
import {
  momentMs,
  startedShownMs,
  type RequestWork,
  type WorkEnd,
} from '#server/domain/user/started.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { ownProcess } from './processes.ts';

export interface NewWork {
  /** Left out: a new one. */ id?: string;
  work: RequestWork;
  actor: Actor;
  event_id?: string | undefined;
}

/** Notes work that the worker does later, in the transaction that makes it necessary. */
export async function noteForWorker(
  ctx: Ctx,
  trx: Trx,
  { version, ...asked }: NewWork & { version?: number },
): Promise<void> {
  const now = ctx.now();
  const row = { id: ctx.newId(), ...asked, version: version ?? null, begun_at: now, moved_at: now };
  await insertWork(trx, row, now - startedShownMs);
}

/** How often progress is stored, and a wish to stop is read. */
const noteEveryMs = 1_000;

/** Ends a file that a person has stopped. */
class Stopped extends Error {}

/**
 * Runs a request and notes it until its answer, or the last byte of its file, is made. A database
 * that cannot store the note does not keep the request from its work.
 */
export async function runNoted<A>(ctx: Ctx, asked: NewWork, run: () => Promise<A>): Promise<A> {
  const note = noteOf(ctx, asked);
  await note.begin();
  try {
    const answer = await run();
    const isLong = isFile(answer) && !(answer.content instanceof Uint8Array);
    // The note begins anew with the file's first byte, because a client may never ask for the file.
    await (isLong ? note.drop() : note.end('done'));
    return isLong ? { ...answer, content: followed(ctx, asked, answer.content) } : answer;
  } catch (error) {
    await note.end('failed', error instanceof Refusal ? refusals[error.code][1] : null);
    throw error;
  }
}

function isFile(answer: unknown): answer is FileAnswer {
  return typeof answer === 'object' && answer !== null && 'content' in answer;
}

async function* followed(ctx: Ctx, asked: NewWork, content: FileAnswer['content']) {
  const note = noteOf(ctx, asked);
  await note.begin();
  let end: WorkEnd = 'cut';
  try {
    for await (const bytes of content as AsyncIterable<Uint8Array>) {
      yield bytes;
      await note.move(bytes.length);
    }
    end = 'done';
  } catch (error) {
    end = error instanceof Stopped ? 'stopped' : 'failed';
    throw error;
  } finally {
    await note.end(end);
  }
}

function noteOf(ctx: Ctx, { work, actor, event_id }: NewWork) {
  const [id, begun_at] = [ctx.newId(), ctx.now()];
  let [done, noted_at] = [0, begun_at];
  const tried = async <T>(write: Promise<T>): Promise<T | null> => {
    try {
      return await write;
    } catch (error) {
      ctx.log.warn({ err: error, work }, 'long request not noted');
      return null;
    }
  };
  return {
    async begin() {
      const process_id = ownProcess(ctx);
      const row = { id, work, actor, event_id: event_id ?? null, process_id, begun_at };
      const forgotten = begun_at - startedShownMs;
      await tried(insertWork(ctx.db, { ...row, moved_at: begun_at }, forgotten));
    },
    /** @throws Stopped if a person has asked to stop */
    async move(bytes: number) {
      done += bytes;
      if (ctx.now() - noted_at < noteEveryMs) return;
      noted_at = ctx.now();
      const stop_asked_at = await tried(noteWork(ctx.db, id, { done, moved_at: noted_at }));
      if (stop_asked_at !== null) throw new Stopped();
    },
    async drop() {
      await tried(dropWork(ctx.db, id));
    },
    /** Work that ended at once leaves no row. */
    async end(outcome: WorkEnd, said: string | null = null) {
      const ended_at = ctx.now();
      if (outcome !== 'stopped' && ended_at - begun_at < momentMs) await this.drop();
      else await tried(noteWork(ctx.db, id, { done, moved_at: ended_at, ended_at, outcome, said }));
    },
  };
}
