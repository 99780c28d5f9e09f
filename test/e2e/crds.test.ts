import { pinionKinds, type PinionKind } from '../../lib/api';
import { crdOf } from '../../lib/api/crd';
import { causesOf, messageOf } from '../control-plane/answer';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';

const kinds = Object.keys(pinionKinds) as PinionKind[];

describeControlPlane('the CustomResourceDefinitions', (controlPlane) => {
  test.each(kinds)(
    '%s is admitted: structural, within the limits on size and on the cost of its rules',
    async (kind) => {
      const answer = await controlPlane().client.applyForReal(crdOf(kind) as SendableObject);
      expect([answer.status, messageOf(answer), causesOf(answer)]).toEqual([201, expect.anything(), []]);
    },
  );
});
