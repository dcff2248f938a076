/** Who may call what: each role at each endpoint, against lists that are written out here. */
import { expect } from 'vitest';
import { endpoints } from '#server/contract/all.ts';
import type { EndpointShape } from '#server/contract/endpoint.ts';
import { roles } from '#server/domain/user/user.ts';
import { testOnce as test } from '#tests/support/both.ts';
import { ask, makePairedPhone } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { type TestServer } from '#tests/support/server.ts';

/** All that the office is kept from. */
const adminOnly = `
  archiveChart chartHolders chartTemplates chartVersions copyChart exportDrawing makeChart mintDesignerToken readChart renameChart restoreChart
  cancelEvent takeBackCancellation checkDrawing importDrawing fetchDrawing makePhone changePhone pairAgain revokePhone readDoorPin
  readLook writeLook sendLogo previewPdf previewLook makeBackup
  setDoorPin listRegistry exportRegistry hurryJob abandonJob readKeys makeRehearsal turnRehearsal closeRehearsal readSiteSettings writeSiteSettings endMaintenance readStripeChange renewPrices removeTestOrders stopRefunds resumeRefunds
  listPeople invitePerson withdrawInvite changeRole suspendPerson restorePerson removePerson makeResetLink resetFactors changeTills
  findPerson exportPerson erasePerson listErasures readRetention writeRetention readRegister
  listProgramTokens makeProgramToken revokeProgramToken listProgramAddresses makeProgramAddress changeProgramAddress deleteProgramAddress
  pingProgramAddress rotateProgramSecret switchProgramAddress listProgramDeliveries resendProgramDelivery`;
/** Everybody's own account. */
const own = `me readHouse changePassword listSessions endSession readFactors beginTotp addTotp removeTotp beginPasskey addPasskey
  removePasskey renamePasskey renewRecoveryCodes beginConfirmation confirmIdentity checkFresh`;
/** Events with their numbers. */
const events =
  'listEvents readEvent readGifts readPostponement listAnnouncements listShows readShow';
/** All that the others may, beside what needs no login and their own account. */
const may = {
  cassa: `${events} listOrders totalOrders readOrder listOrderTickets readCheckoutSession viewAsBuyer downloadTicketsAtDesk downloadCalendarAtDesk findByReceipt searchOffice readCounter readTill openTillCode admitHold makeSale quoteExchange listReservations collectReservation takeDeposit changeReservation dropReservation readPaper
    findCustomers listOwnSales quoteHandBack giveBack readEventPaper notePrinted printOrder reissueTickets printTest readPrinter readPrint dropPrint openShift listShifts readShift moveCash closeShift
    downloadShift`,
  viewer: `${events} readPresence readVisits readReport readReportFile`,
  door: `readPresence listHeads countHeads undoHeads listRecentAdmissions admitTicket readAdmission undoAdmission listConflicts listEntriesAgainst listDoubts`,
};
const wordsOf = (text: string) => text.trim().split(/\s+/);

const callers = ['nobody', 'phone', ...roles] as const;
type Caller = (typeof callers)[number];

function mayCall(caller: Caller, name: string, { who }: EndpointShape): boolean {
  if (who === 'public') return true;
  // A program is no person: its own tests try its keys.
  if (who.startsWith('program:')) return false;
  if (who === 'phone' || caller === 'phone') return who === caller;
  if (caller === 'nobody') return false;
  if (caller === 'admin' || wordsOf(own).includes(name)) return true;
  return caller === 'office'
    ? !wordsOf(adminOnly).includes(name)
    : wordsOf(may[caller]).includes(name);
}

/** A stream has no end to wait for. */
async function firstLine(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers: { ...headers, connection: 'close' } });
  await response.body?.cancel();
  return { status: response.status, body: {} };
}

function callOf(server: TestServer, endpoint: EndpointShape, headers: Record<string, string>) {
  const path = endpoint.path.replace(/:\w+/g, 'x');
  if (endpoint.stream) return firstLine(server.url + path, headers);
  return ask(server, endpoint.method, path, {
    // A form from no page of ours is refused to everybody.
    headers: { ...headers, ...(endpoint.form ? { 'x-requested-with': 'fetch' } : {}) },
    ...(endpoint.body ? { body: {} } : {}),
  });
}

test('every endpoint refuses whoever may not call it, and says who may', async (server, admin) => {
  const phone = await makePairedPhone(server, admin);
  const headers: Record<string, Record<string, string>> = {
    nobody: {},
    phone: phone.headers,
    admin,
  };
  for (const role of roles) headers[role] ??= await asRole(server, role);
  for (const [name, endpoint] of Object.entries(endpoints)) {
    for (const caller of callers) {
      if (name === 'logout' || name === 'endAllSessions') continue;
      const { status, body } = await callOf(server, endpoint, headers[caller]!);
      const refused = status === 401 || status === 403;
      expect([name, caller, refused]).toEqual([name, caller, !mayCall(caller, name, endpoint)]);
      if (status === 403)
        expect([name, (body as { message: string }).message]).toEqual([
          name,
          expect.stringMatching(
            /^Non hai i permessi per questa operazione\. Può farlo .*«Amministratore».*\.$/,
          ),
        ]);
    }
  }
});
