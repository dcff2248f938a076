/** Papers around the ticket: each route connects an endpoint to its use case. */
import * as invoices from '#server/contract/invoices.ts';
import * as gifts from '#server/contract/gifts.ts';
import * as papers from '#server/contract/papers.ts';
import * as summaries from '#server/contract/summaries.ts';
import type { Routing } from '#server/http/serve.ts';
import { readEvening } from '#server/services/papers/evening.ts';
import { giftsOfEvent } from '#server/services/papers/gifts.ts';
import { conventionsCsv, readConventions } from '#server/services/papers/conventions.ts';
import { invoiceFile } from '#server/services/papers/invoice-file.ts';
import {
  askForInvoice,
  invoiceOfOrder,
  invoiceList,
  markInvoiceMade,
  takeInvoiceBack,
} from '#server/services/papers/invoices.ts';
import {
  importSeals,
  previewSeals,
  sealsOfEvent,
  undoSeals,
} from '#server/services/papers/seals.ts';
import { readSummary } from '#server/services/papers/summary.ts';
import {
  eveningCsv,
  eveningPdf,
  summaryCsv,
  summaryPdf,
} from '#server/services/papers/summary-files.ts';

export function paperRoutes({ serve, ctx }: Routing): void {
  serve(papers.readSeals, ({ params }) => sealsOfEvent(ctx, params.eventId));
  serve(papers.previewSeals, ({ params, file }) => previewSeals(ctx, params.eventId, file));
  serve(papers.importSeals, ({ params, file, form }, { actor }) =>
    importSeals(ctx, params.eventId, { bytes: file, ...form, actor }),
  );
  serve(papers.undoSeals, ({ params }, { actor }) =>
    undoSeals(ctx, { event_id: params.eventId, import_id: params.importId, actor }),
  );
  serve(invoices.readInvoice, ({ params }) => invoiceOfOrder(ctx, params.orderId));
  serve(invoices.askInvoice, ({ params, body: typed }) =>
    askForInvoice(ctx, params.orderId, { actor: 'visitor', typed }),
  );
  serve(invoices.readOrderInvoice, ({ params }) => invoiceOfOrder(ctx, params.orderId));
  serve(invoices.writeInvoice, ({ params, body: typed }, { actor }) =>
    askForInvoice(ctx, params.orderId, { actor, typed }),
  );
  serve(invoices.listInvoices, ({ query }) => invoiceList(ctx, query));
  serve(invoices.exportInvoices, ({ query }) => invoiceFile(ctx, query));
  serve(invoices.makeInvoice, ({ params, body }, { actor }) =>
    markInvoiceMade(ctx, params.invoiceId, { ...body, actor }),
  );
  serve(invoices.reopenInvoice, ({ params }, { actor }) =>
    takeInvoiceBack(ctx, params.invoiceId, actor),
  );
  serve(gifts.readGifts, ({ params }) => giftsOfEvent(ctx, params.eventId));
  serve(summaries.readSummary, ({ query }) => readSummary(ctx, query));
  serve(summaries.downloadSummary, ({ query }) => summaryPdf(ctx, query));
  serve(summaries.exportSummary, ({ query }) => summaryCsv(ctx, query));
  serve(summaries.readConventions, ({ query }) => readConventions(ctx, query));
  serve(summaries.exportConventions, ({ query }) => conventionsCsv(ctx, query));
  serve(summaries.readEvening, ({ params }) => readEvening(ctx, params.eventId));
  serve(summaries.downloadEvening, ({ params }) => eveningPdf(ctx, params.eventId));
  serve(summaries.exportEvening, ({ params, query }) => eveningCsv(ctx, params.eventId, query));
}
