// One object for many calls: whatever came before, each gives what a fresh object gives.

#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/drawing.hpp"
#include "support/campaign.hpp"
#include "support/other_devices.hpp"

using namespace clprim;
using namespace support;

TEST_CASE("a whole sum after ragged segments that all groups share is the sum") {
  const session& s = device_session();
  constexpr std::int64_t count = 60, size = 40000;
  std::vector<std::int64_t> ends;
  for (std::int64_t i = 0; i <= count; ++i) ends.push_back(i * size);
  const cl::Buffer x = device_copy(s, std::vector<float>(count * size, 1.0f));
  const cl::Buffer offsets = device_copy(s, ends);
  for (const std::int64_t segments : {std::int64_t{1}, std::int64_t{3}, count}) {
    reduce<float> sum(s.queue);
    for (int turn = 0; turn < 3; ++turn) {
      CHECK(sum.values(ragged<float>(x, segments * size, offsets, segments)) ==
            std::vector<float>(static_cast<std::size_t>(segments), 40000.0f));
      CHECK(sum.value(whole<float>(x, count * size)) == 2400000);
    }
  }
}

TEST_CASE("messages of 16 bits stay right when their turns have all been used") {
  const session& s = device_session();
  device_facts facts = facts_of(s.device);
  facts.int64_atomics = false;
  const assume_device as_if(facts);
  std::vector<float> values(3000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7);
  const cl::Buffer x = device_copy(s, values);
  const auto all = whole<float>(x, 3000);
  for (const auto finish : {group_finish::last_group, group_finish::last_started}) {
    reduce<float> sum(s.queue,
                      {.policy = reduce_policy{.group = 8, .finish = finish, .least_steps = 1}});
    CHECK(sum.schedule(all).parts > 1);
    const float first = sum.value(all);
    CHECK(first == 8994);
    for (int turn = 2; turn < 65534; ++turn) sum.prepare(all);
    for (int turn = 65534; turn < 65540; ++turn) CHECK(sum.value(all) == first);
  }
}

namespace {

/// Elements that every sequence takes its views from.
struct material {
  std::int64_t elements;
  cl::Buffer x;
  explicit material(const session& s)
    : elements(std::int64_t{1} << (facts_of(s.device).kind == device_kind::gpu ? 22 : 20)) {
    draw d(7);
    std::vector<float> values(static_cast<std::size_t>(elements));
    for (float& v : values) v = random_element<float>(d);
    x = device_copy(s, values);
  }
};
const material& shared_material() {
  static const auto* const m = new material(device_session());
  return *m;
}

/// A size from 1 to `most`, as likely in each octave.
std::int64_t log_uniform(draw& d, std::int64_t most) {
  const int octaves = static_cast<int>(std::log2(static_cast<double>(most)));
  const std::int64_t base = std::int64_t{1} << d.between(0, octaves);
  return std::min(most, base + d.between(0, static_cast<int>(base - 1)));
}

struct drawn_call {
  reduce_view<float> view;
  cl::Buffer offsets;
  std::string text;
};

/// Segments of equal size but for a few.
drawn_call draw_ragged(draw& d, const session& s, std::int64_t total, std::int64_t count) {
  drawn_call c;
  count = std::min<std::int64_t>(count, 3000);
  std::vector<std::int64_t> ends{0};
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t left = total - ends.back();
    const std::int64_t size = d.chance(10)  ? log_uniform(d, std::max<std::int64_t>(1, left))
                              : d.chance(5) ? 0
                                            : total / count;
    ends.push_back(ends.back() + std::min(size, left));
  }
  c.offsets = device_copy(s, ends);
  c.view = ragged<float>(shared_material().x, ends.back(), c.offsets, count);
  c.text = "ragged " + std::to_string(count) + " of " + std::to_string(ends.back());
  return c;
}

drawn_call draw_call(draw& d, const session& s) {
  const cl::Buffer& x = shared_material().x;
  const std::int64_t total = log_uniform(d, shared_material().elements);
  const std::int64_t one = log_uniform(d, total), other = total / one;
  const auto by = " " + std::to_string(one) + "x" + std::to_string(other);
  drawn_call c;
  switch (d.between(0, 7)) {
    case 0:
    case 1: c = {whole<float>(x, total), {}, "whole " + std::to_string(total)}; break;
    case 2:
    case 3: c = {segments<float>(x, one, other), {}, "rows" + by}; break;
    case 4: c = {along_axis<float>(x, {other, one}, 0), {}, "columns of" + by}; break;
    case 5: {
      const std::int64_t gap = one + d.between(0, 3), rows = std::max<std::int64_t>(1, total / gap);
      const auto middle = std::min<std::int64_t>(rows, d.between(1, 40));
      c = {along_axis<float>(x, {rows / middle, middle, one}, {middle * gap, gap, 1},
                             static_cast<std::size_t>(d.between(0, 2))),
           {},
           "axis of" + by};
      break;
    }
    case 6:
      if (d.chance(30)) {
        c = {segments<float>(x, 0, 5), {}, "nothing"};
        break;
      }
      [[fallthrough]];
    default: return draw_ragged(d, s, total, one);
  }
  if (c.view.length > 8 && c.view.results() == 1 && d.chance(30)) {
    c.view.offset = 3;
    c.view.length -= 3;
  }
  return c;
}

template <class R> bool same_bits(const R& a, const R& b) {
  if constexpr (std::same_as<R, float>)
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  else
    return a == b;
}

/// One object, and what its calls so far should have given.
template <class Op> class sequence {
  using reduction_of = reduce<float, Op>;
  using result = typename reduction_of::result;

 public:
  explicit sequence(draw& d)
    : d_(d),
      s_(d.chance(60) || !support::launches_may_overlap(device_session()) ? device_session()
                                                                          : out_of_order_session()),
      ordered_(&s_ == &device_session()) {
    const device_facts own = facts_of(s_.device);
    if (d.chance(30)) facts_ = drawn_device(d, own);
    if (d.chance(10)) (facts_ ? *facts_ : facts_.emplace(own)).int64_atomics = false;
    const device_facts& facts = facts_ ? *facts_ : own;
    if (d.chance(45)) {
      draw few(static_cast<std::uint64_t>(1000 + d.between(0, 5)));  // each builds for long
      options_.policy = draw_policy(few, facts);
      if (facts.int64_atomics && std::same_as<Op, op::max> && d.chance(40))
        options_.policy->finish = group_finish::any_order;
    }
    if (ordered_ && d.chance(30)) options_.completion = completion::none;
    object_ = make();
  }

  ~sequence() {  // nothing waits for ever for a sequence that an exception ended
    for (const cl::Event& gate : gates_) (void)clSetUserEventStatus(gate(), CL_COMPLETE);
    (void)clFinish(s_.queue());
  }
  sequence(const sequence&) = delete;
  sequence& operator=(const sequence&) = delete;

  std::string run() {
    const int steps = d_.between(2, d_.chance(20) ? 40 : 10);
    for (int i = 0; i < steps && wrong_.empty(); ++i, ++calls_tried()) step();
    if (d_.chance(50)) object_.reset();  // while its kernels run
    look();
    if (wrong_.empty()) return wrong_;
    return wrong_ + history_ + (ordered_ ? "in order, " : "out of order, ") +
           (facts_ ? facts_->name : "") +
           (options_.policy ? "\n" + to_string(*options_.policy) : "") + "\n";
  }

 private:
  struct pending {
    drawn_call call;
    cl::Buffer out;
    std::int64_t offset;
    cl::Event done;
    std::string name;
  };

  std::unique_ptr<reduction_of> make() {
    std::optional<assume_device> as_if;
    if (facts_) as_if.emplace(*facts_);
    return std::make_unique<reduction_of>(s_.queue, options_);
  }
  cl::Buffer results(std::int64_t count) const {
    return device_copy(
        s_, std::vector<std::byte>(static_cast<std::size_t>(count) * reduction_of::result_bytes,
                                   std::byte{0x55}));
  }
  /// Whether that is what this call deserves: the workspace that an earlier step gave is too small.
  bool too_small(const argument_error& e) const {
    return given_ != nullptr && e.argument == "the workspace" &&
           e.constraint.starts_with("must hold");
  }
  void note(const std::string& what) { history_ += "  " + what + "\n"; }

  void step() {
    if (d_.chance(8)) {
      note("moved");
      reduction_of other(std::move(*object_));
      if (d_.chance(50))
        object_ = std::make_unique<reduction_of>(std::move(other));
      else
        *object_ = std::move(other);
    }
    const drawn_call c = draw_call(d_, s_);
    if (d_.chance(6)) {
      note("prepared " + c.text);
      try {
        object_->prepare(c.view);
      } catch (const argument_error& e) {
        if (!too_small(e)) throw;
      }
    }
    if (d_.chance(6)) give_workspace(c);
    if (d_.chance(10)) return refuse(c);
    if (d_.chance(15)) return wait(c);
    if ((!ordered_ || facts_of(s_.device).vendor == vendor::pocl) && d_.chance(8)) return fail(c);
    send(c);
    if (d_.chance(15)) look();
  }

  /// A call whose results are looked at later.
  void send(const drawn_call& c) {
    note(c.text);
    const std::int64_t offset = d_.chance(20) ? d_.between(1, 3) : 0;
    const cl::Buffer out = results(c.view.results() + offset);
    std::vector<cl::Event> waits;
    if (d_.chance(25)) {
      waits.push_back(user_event(s_));
      gates_.push_back(waits.back());
    }
    if (!ordered_ && !sent_.empty() && d_.chance(20)) waits.push_back(sent_.back().done);
    try {
      cl::Event done = (*object_)(c.view, out, offset, waits);
      sent_.push_back({c, out, offset, done, c.text});
    } catch (const argument_error& e) {
      if (!too_small(e)) throw;
      note("the workspace is too small");
      give_workspace(c);
    }
  }
  void wait(const drawn_call& c) {
    note("values of " + c.text);
    open_gates();
    try {
      compare(object_->values(c.view), c, c.text);
    } catch (const argument_error& e) {
      if (!too_small(e)) throw;
      note("the workspace is too small");
    }
  }
  /// A call that must throw, and leave everything as it was.
  void refuse(const drawn_call& c) {
    note("refused " + c.text);
    const cl::Buffer small = results(c.view.results());
    bool refused = false;
    try {
      reduce_view<float> v = c.view;
      switch (d_.between(0, 3)) {
        case 0:
          (*object_)(v, small, 1);
          refused = v.results() == 0;
          break;
        case 1: (*object_)(v, small, -1); break;
        case 2:
          v.length = v.offsets == nullptr ? std::int64_t{1} << 40 : -1;
          v.outer = std::max<std::int64_t>(1, v.outer);
          v.step = 1;
          object_->values(v);
          break;
        default: (*object_)(whole<float>(shared_material().x, 10), shared_material().x);
      }
    } catch (const error&) {
      refused = true;
    }
    if (!refused) wrong_ = "a wrong call was accepted\n";
  }
  /// A call that never runs, for what it waits for fails. PoCL 3.1 never ends a command that is
  /// enqueued after its event failed, and aborts where a call has several.
  void fail(const drawn_call& c) {
    if (object_->workspace_bytes(c.view) > 0 || !waits_may_fail(s_)) return;
    note("failed " + c.text);
    open_gates();
    check(clFinish(s_.queue()), "clFinish");
    const cl::Event gate = user_event(s_);
    lost_.push_back(results(c.view.results()));
    try {
      const cl::Event done = (*object_)(c.view, lost_.back(), 0, {gate});
      check(clSetUserEventStatus(gate(), -1), "clSetUserEventStatus");
      if (done() != nullptr) (void)clWaitForEvents(1, &done());
      (void)clFinish(s_.queue());
    } catch (const argument_error& e) {
      check(clSetUserEventStatus(gate(), -1), "clSetUserEventStatus");
      if (!too_small(e)) throw;
    }
  }
  void give_workspace(const drawn_call& c) {
    open_gates();
    check(clFinish(s_.queue()), "clFinish");  // the caller sees to it that nothing else uses it
    const std::size_t bytes =
        std::max<std::size_t>(64, object_->workspace_bytes(c.view) * (d_.chance(50) ? 1 : 9) * 2);
    note("given a workspace of " + std::to_string(bytes));
    const cl::Buffer next = device_copy(s_, std::vector<std::uint8_t>(bytes, 0x41));
    object_->use_workspace(next);
    given_ = next();
  }
  void open_gates() {
    for (const cl::Event& gate : gates_)
      check(clSetUserEventStatus(gate(), CL_COMPLETE), "clSetUserEventStatus");
    gates_.clear();
  }

  void compare(const std::vector<result>& got, const drawn_call& c, const std::string& name) {
    const std::vector<result> expected = make()->values(c.view);
    for (std::size_t r = 0; r < expected.size() && wrong_.empty(); ++r) {
      if (!same_bits(got.at(r), expected[r]))
        wrong_ = "result " + std::to_string(r) + " of " + name + " is another one\n";
    }
  }
  /// Compares all that was sent.
  void look() {
    open_gates();
    check(clFinish(s_.queue()), "clFinish");
    for (const pending& p : sent_) {
      const auto count = static_cast<std::size_t>(p.call.view.results());
      if (count == 0) continue;
      std::vector<std::byte> raw(count * reduction_of::result_bytes);
      check(clEnqueueReadBuffer(s_.queue(), p.out(), CL_TRUE,
                                static_cast<std::size_t>(p.offset) * reduction_of::result_bytes,
                                raw.size(), raw.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
      std::vector<result> got;
      for (std::size_t r = 0; r < count; ++r)
        got.push_back(
            op::detail::results<Op, float>::read(raw.data() + r * reduction_of::result_bytes));
      compare(got, p.call, p.name);
    }
    sent_.clear();
  }

  draw& d_;
  const session& s_;
  bool ordered_;
  std::optional<device_facts> facts_;
  reduce_options options_;
  std::unique_ptr<reduction_of> object_;
  std::vector<pending> sent_;
  std::vector<cl::Event> gates_;
  std::vector<cl::Buffer> lost_;
  cl_mem given_ = nullptr;
  std::string wrong_, history_;
};

template <class Op> std::string run_sequence(draw& d) { return sequence<Op>(d).run(); }

}  // namespace

CAMPAIGN("any sequence of sums on one object gives what fresh objects give") {
  run_campaign("sequences of sums", 4, run_sequence<op::sum<>>);
}

CAMPAIGN("any sequence of maxima on one object gives what fresh objects give") {
  run_campaign("sequences of maxima", 2, run_sequence<op::max>);
}

CAMPAIGN("any sequence of sums with maxima and their places gives what fresh objects give") {
  run_campaign("sequences of several", 2, run_sequence<op::several<op::sum<>, op::argmax>>);
}
