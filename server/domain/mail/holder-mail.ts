/** The mail about a ticket that got a holder's name. */
import { requireValue } from '#server/domain/require-value.ts';
import { formatLongDate } from '#server/domain/time/dates.ts';
import type { Block } from './mail-body.ts';
import type { MailFacts } from './order-facts.ts';
import { signature, say, button, evening, note, short } from './order-parts.ts';

/**
 * The mail to the former holder, the new one or the buyer; each reads only about their own
 * ticket.
 */
export function holderChanged(facts: MailFacts): { subject: string; blocks: Block[] } {
  const { to, name } = requireValue(facts.holder, 'holder to write about');
  const subject = 'Il tuo biglietto ha un nuovo intestatario';
  if (to === 'old') {
    return {
      subject,
      blocks: [
        say(
          'il biglietto per ',
          { strong: facts.event.title },
          ' che avevi ricevuto è passato a un’altra persona. Il codice che hai non vale più per l’ingresso.',
        ),
        evening(facts),
        signature(facts),
      ],
    };
  }
  if (to === 'new') {
    const door = `All’ingresso mostra il codice QR dal telefono o stampato: vale per una sola entrata, non pubblicarne la foto. Se ne avevi già uno, vale solo questo.${facts.event.nominative ? ' Porta un documento d’identità valido.' : ''}`;
    return {
      subject: `Il tuo biglietto per ${short(facts.event.title)} – ${formatLongDate(facts.event.starts_at)}`,
      blocks: [
        say(
          'il biglietto per ',
          { strong: facts.event.title },
          ' è intestato a te: lo trovi allegato a questo messaggio.',
        ),
        evening(facts),
        say(door),
        signature(facts),
      ],
    };
  }
  return {
    subject,
    blocks: [
      say(
        'il biglietto per ',
        { strong: facts.event.title },
        ' ora è intestato a ',
        { strong: name },
        '. Il codice di prima non vale più: all’ingresso serve quello nuovo, allegato qui e nella pagina dell’ordine.',
      ),
      evening(facts),
      button('Vedi i biglietti', facts.order.url),
      say('Se non sei stato tu, scrivici subito.'),
      note(facts),
    ],
  };
}
