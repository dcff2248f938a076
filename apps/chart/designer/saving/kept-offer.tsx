/** Offers a drawing that could not be sent last time, when its chart is opened. */
import { useState } from 'react';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { forgetKept, type Kept } from '#apps/chart/designer/line/kept.ts';
import { ToldList, useDifferences } from './told-list.tsx';
import { tellMoment } from '#apps/chart/designer/line/when.ts';

export function KeptOffer({ kept }: { kept: Kept }) {
  const { session, studio } = useDesigner();
  const [isOpen, setOpen] = useState(true);
  const told = useDifferences(studio.state.doc, kept.doc);
  if (!isOpen) return null;
  const close = () => setOpen(false);
  const resume = async () => {
    close();
    studio.replace(kept.doc);
    // If the drawing was saved elsewhere meanwhile, the server reports it, and the conflict is
    // shown.
    session.startFrom(kept.version);
    await session.save();
    if (!session.isChanged) await forgetKept(kept.id);
  };
  const drop = () => {
    close();
    void forgetKept(kept.id);
  };
  return (
    <Dialog
      title="Modifiche non inviate"
      onClose={close}
      footer={
        <>
          <Button onPress={drop}>Scartale</Button>
          <Button look="primary" onPress={() => void resume()}>
            Riprendile
          </Button>
        </>
      }
    >
      <div className="bsd-stack">
        <p>
          In questo browser ci sono modifiche del {tellMoment(kept.at)} che non sono arrivate al
          server. Rispetto alla pianta di adesso:
        </p>
        <ToldList told={told} />
      </div>
    </Dialog>
  );
}
