/**
 * Collects every sentence that a person reads from the source: JSX text, attributes, and strings
 * that look like text for people.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-api';

/** `where`: file and line. Each placeholder of a template becomes a blank. */
export interface Sentence {
  text: string;
  where: string;
}

const root = join(import.meta.dirname, '../../..');
/** All strings of these folders are read, except files of settings. */
const rooms = [
  'apps/booking',
  'apps/scanner',
  'apps/admin',
  'apps/shared',
  'apps/verify',
  'apps/chart',
  'server/cli',
  'server/drawing/check',
  'server/drawing/diff',
  'server/drawing/italy',
  'server/drawing/templates',
  'server/config',
  'server/domain/report',
  'server/domain/papers',
  'server/services/papers',
  'server/services/reports',
  'server/standins/seatsio/draw',
];
/** In all other folders only these files contain sentences. */
const files = [
  'db/reconcile/invariants.ts',
  ...[
    'contract/errors.ts',
    'domain/refusal-words.ts',
    'config.ts',
    'main.ts',
    'start-faults.ts',
    'http/away-page.ts',
    'http/book-page.ts',
    'http/program-page.ts',
    'domain/site/legal.ts',
    'domain/site/legal-names.ts',
    'domain/mail/mail-body.ts',
    'domain/audit/audit-words.ts',
    'domain/queue/wait.ts',
    'domain/door/carried.ts',
    'domain/door/ended-code.ts',
    'domain/door/foreign-text.ts',
    'domain/door/heads.ts',
    'domain/payment/payout-words.ts',
    'services/reconcile/payout-view.ts',
    'domain/mail/alarm-mail.ts',
    'domain/mail/cancelled-mail.ts',
    'domain/mail/alert-mail.ts',
    'domain/backup.ts',
    'services/backup/whole-house.ts',
    'services/backup/moved.ts',
    'domain/office/lost-charts.ts',
    'domain/text/whole-address.ts',
    'domain/text/phone-number.ts',
    'domain/order/buyer.ts',
    'domain/site/fiscal-words.ts',
    'domain/mail/links-mail.ts',
    'domain/site/colour.ts',
    'domain/site/look.ts',
    'domain/counter/deposit-words.ts',
    'domain/counter/thermal.ts',
    'domain/counter/transfer-words.ts',
    'services/counter/rebuilt-shift.ts',
    'domain/text/table-fault.ts',
    'services/mail/dress.ts',
    'services/office/look-preview.ts',
    'domain/mail/mail.ts',
    'domain/mail/ended-mail.ts',
    'domain/mail/free-mail.ts',
    'domain/door/buyer-search.ts',
    'domain/door/kept.ts',
    'domain/mail/holder-mail.ts',
    'domain/mail/order-parts.ts',
    'domain/mail/postponed-mail.ts',
    'domain/mail/rehoused-mail.ts',
    'domain/mail/message-mail.ts',
    'domain/event/answer-words.ts',
    'domain/event/event-kind-words.ts',
    'domain/event/field-names.ts',
    'domain/door/gate.ts',
    'domain/seat/move-words.ts',
    'domain/seat/typed-fault-words.ts',
    'domain/seat/notices.ts',
    'domain/order/exchange-words.ts',
    'domain/order/order-words.ts',
    'domain/order/card-words.ts',
    'domain/order/right-words.ts',
    'domain/order/met-tickets.ts',
    'domain/mail/people-mail.ts',
    'domain/price/price-matrix.ts',
    'domain/price/pricing.ts',
    'domain/price/rule-check.ts',
    'domain/price/least-online.ts',
    'domain/price/phase-words.ts',
    'domain/price/rule-words.ts',
    'domain/price/surcharge-words.ts',
    'domain/payment/refund-words.ts',
    'domain/payment/ruled-refund.ts',
    'domain/mail/reminder-mail.ts',
    'domain/door/rehearsal.ts',
    'domain/user/rights.ts',
    'services/counter/paper.ts',
    'services/counter/day-files.ts',
    'services/counter/shift-pdf.ts',
    'settings.ts',
    'domain/payment/decline.ts',
    'domain/event/event-words.ts',
    'dev.ts',
    'http/maintenance.ts',
    'services/office/clock-skew.ts',
    'services/office/story.ts',
    'services/office/why.ts',
    'adapters/thermal-ticket.ts',
    'domain/seat/seating-words.ts',
    'domain/office/version.ts',
    'domain/text/newer-word.ts',
    'contract/published-examples.ts',
    'http/openapi-examples.ts',
    'domain/door/trial.ts',
    'domain/user/user.ts',
    'domain/door/verdict-names.ts',
    'domain/seat/seat-name.ts',
    'services/event/code-desk.ts',
    'services/event/demo.ts',
    'domain/site/demo-seller.ts',
    'domain/event/demo.ts',
    'services/site/calendar.ts',
    'services/order/documents.ts',
    'domain/order/checkout-words.ts',
    'services/chart/charts.ts',
    'services/event/guests.ts',
    'services/event/price-matrix.ts',
    'services/office/checks.ts',
    'services/office/order-export.ts',
    'services/office/registry.ts',
    'domain/person/backups.ts',
    'domain/person/erasure.ts',
    'domain/person/held.ts',
    'domain/person/register.ts',
    'domain/person/retention.ts',
    'domain/person/words.ts',
    'services/person/export-page.ts',
    'services/person/register.ts',
    'services/door/rehearsals.ts',
    'adapters/documents.ts',
    'adapters/guest-sheet.ts',
    'adapters/rehearsal-sheet.ts',
    'adapters/stripe.ts',
    'adapters/wallet-apple.ts',
    'adapters/wallet-google.ts',
    'http/certificate.ts',
    'http/field-words.ts',
    'http/refused-file.ts',
    'standins/chart.ts',
    'standins/seatsio/browser/visitor-limits.ts',
    'standins/seatsio/chart/seeds.ts',
    'drawing/model/where.ts',
    'drawing/port/csv-out.ts',
    'standins/stripe/checkout/page-client.js',
    'standins/stripe/checkout/page.ts',
    'standins/stripe/checkout/page-form.ts',
    'standins/stripe/checkout/receipt.ts',
    'standins/stripe/payment/method-types.ts',
  ].map((file) => `server/${file}`),
];

const readAloud = new Set([
  'aria-label',
  'alt',
  'title',
  'placeholder',
  'label',
  'closeLabel',
  'saveLabel',
  'word',
  'hint',
  'text',
  'detail',
  'confirmLabel',
  'cancelLabel',
  'sumLabel',
  'one',
  'many',
]);

export function readSentences(): Sentence[] {
  return filesRead().flatMap(sentencesIn);
}

/**
 * Strings in other server files that look like sentences, but are for programs, logs or
 * developers.
 */
export function readElsewhere(): Sentence[] {
  const read = new Set(filesRead());
  return ['server', 'db']
    .flatMap(sourcesIn)
    .filter((file) => !read.has(file))
    .flatMap(sentencesIn);
}

function filesRead(): string[] {
  return [...rooms.flatMap(sourcesIn).filter((file) => !file.endsWith('.config.ts')), ...files];
}

function sourcesIn(room: string): string[] {
  return readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(room, file));
}

function sentencesIn(file: string): Sentence[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: Sentence[] = [];
  const add = (node: ts.Node, text: string) => {
    found.push({
      text: text.trim(),
      where: `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`,
    });
  };
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isForMachines(node)) return;
    if (ts.isJsxText(node)) {
      if (node.text.trim() !== '') add(node, node.text);
    } else if (ts.isStringLiteralLike(node)) {
      if (
        isSentence(node.text) ||
        (ts.isJsxAttribute(node.parent) && readAloud.has(node.parent.name.getText()))
      )
        add(node, node.text);
    } else if (ts.isTemplateExpression(node)) {
      const text = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join(
        ' \u25a1 ',
      );
      if (isSentence(text)) add(node, text);
      for (const span of node.templateSpans) visit(span.expression);
    } else ts.forEachChild(node, visit);
  }
}

/**
 * Names of classes, keys and events, strings that are only compared, and messages for
 * programmers.
 */
function isForMachines(node: ts.Node): boolean {
  if (ts.isJsxAttribute(node))
    return ['className', 'rel', 'type', 'name', 'role'].includes(node.name.getText());
  if (ts.isNewExpression(node))
    return /^(?:(?:Call|Type|Range)?Error|TornPage)$/.test(node.expression.getText());
  const call = node.parent ?? node;
  if (ts.isCallExpression(call) && call.expression.getText() === 'requireValue')
    return call.arguments.indexOf(node as ts.Expression) === 1;
  const isCompared =
    ts.isBinaryExpression(node.parent ?? node) &&
    [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
      (node.parent as ts.BinaryExpression).operatorToken.kind,
    );
  return ts.isStringLiteralLike(node) && (isCompared || ts.isCaseClause(node.parent));
}

/**
 * A sentence has an accent, a typographic apostrophe, a capital at its start or several words,
 * and nothing that only code has.
 */
function isSentence(text: string): boolean {
  if (/[àèéìòùÈ’]/.test(text)) return true;
  if (/^[.#@/[<]|[{};=_\\]|=>|\w\(|\w\.\w|--|::|^\w+-\w+|\b[a-z]+[A-Z][a-z]/.test(text.trim()))
    return /^\p{Lu}\p{Ll}+ \p{Ll}+ \p{Ll}/u.test(text);
  return /^\p{Lu}\p{Ll}+(?!\p{Lu})\b/u.test(text) || /^\s*\p{Ll}+ \p{Ll}+/u.test(text);
}
