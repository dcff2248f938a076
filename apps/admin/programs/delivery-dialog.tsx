/** One message to another program: the body, the answer, and sending it again. */
import type { ReplyOf } from '#server/contract/endpoint.ts';

import {
  resendProgramDelivery,
  type listProgramDeliveries,
} from '#server/contract/program/webhooks.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { deliveryStateWords, kindWords, outcomeOf } from './words.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './programs.module.css';

export type Delivery = ReplyOf<typeof listProgramDeliveries>['items'][number];

interface DeliveryDialogProps {
  delivery: Delivery;
  onClose: () => void;
}

export function DeliveryDialog({ delivery, onClose }: DeliveryDialogProps) {
  const change = useChange();
  const { id, kind, state, body, answer, failures, tried_at, run_at } = delivery;
  return (
    <Modal
      title={kindWords[kind]}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} label="Chiudi" />
          <AsyncButton
            className="ui-button-primary"
            onClick={() => change(resendProgramDelivery, { params: { deliveryId: id } })}
          >
            Invia di nuovo
          </AsyncButton>
        </>
      }
    >
      <Facts>
        <Fact name="Stato">
          <StateBadge {...deliveryStateWords[state]} />
        </Fact>
        <Fact name="Numero">
          <span className={textStyles.code}>{id}</span>
        </Fact>
        <Fact name="Ultimo tentativo">
          {outcomeOf(delivery)}
          {tried_at !== null && `, ${formatListDate(tried_at)}`}
        </Fact>
        {failures > 0 && <Fact name="Tentativi falliti">{failures}</Fact>}
        {run_at !== null && <Fact name="Prossimo">{formatListDate(run_at)}</Fact>}
      </Facts>
      <h3 className={styles.heading}>Che cosa abbiamo scritto</h3>
      <pre className={styles.text}>{pretty(body)}</pre>
      {answer !== null && answer !== '' && (
        <>
          <h3 className={styles.heading}>Che cosa ha risposto</h3>
          <pre className={styles.text}>{answer}</pre>
        </>
      )}
    </Modal>
  );
}

function pretty(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
