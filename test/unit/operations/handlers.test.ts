import { properties } from '../../../nodes/OutboundCalls/operations';
import { handlerOf } from '../../../nodes/OutboundCalls/execute';

it('every operation that the panel lists has a handler', () => {
	const listed = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			displayOptions!.show!.resource!.flatMap((resource) =>
				options!.map((option) => [resource, 'value' in option && option.value] as string[]),
			),
		);
	expect(listed).toHaveLength(7);
	for (const [resource, operation] of listed)
		expect(handlerOf(resource!, operation!)).toBeInstanceOf(Function);
	expect(handlerOf('call', 'constructor')).toBeUndefined();
});
