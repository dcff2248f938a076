/** The answers to a moved or cancelled evening as a file. */
import type { AnswerFilter } from '#server/domain/event/date-answers.ts';
import { answererWord, answerWord } from '#server/domain/event/answer-words.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { csvFile, type CsvFormat } from '#server/services/kit/csv-file.ts';
import type { Viewer } from '#server/services/order/order-scope.ts';
import { dateAnswerList } from './date-answers.ts';

type Answered = Awaited<ReturnType<typeof dateAnswerList>>['items'][number];

interface FileAsk {
  format?: CsvFormat;
  q?: string;
  answer?: AnswerFilter;
}

const pageSize = 100;

/** @throws Refusal event_not_found */
export async function dateAnswersFile(
  ctx: Ctx,
  viewer: Viewer,
  event_id: string,
  { format = 'excel', ...ask }: FileAsk,
) {
  const lines: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = { ...ask, limit: pageSize, ...(cursor !== undefined && { cursor }) };
    const { items, next_cursor } = await dateAnswerList(ctx, viewer, event_id, page);
    lines.push(...items.map((item) => cellsOf(item, format)));
    cursor = next_cursor;
  }
  return csvFile(ctx, { name: 'risposte', headings, lines, format });
}

const headings = [
  'Ordine',
  'Acquirente',
  'E-mail',
  'Telefono',
  'Biglietti',
  'Totale',
  'Risposta',
  'Quando',
  'Da chi',
];

function cellsOf(row: Answered, format: CsvFormat): string[] {
  const euro = (row.total_cents / 100).toFixed(2);
  return [
    row.number,
    row.buyer_name ?? '',
    row.buyer_email ?? '',
    row.buyer_phone ?? '',
    String(row.tickets),
    format === 'excel' ? euro.replace('.', ',') : euro,
    answerWord(row.answer),
    row.answered_at === null ? '' : formatListDate(row.answered_at),
    answererWord(row),
  ];
}
