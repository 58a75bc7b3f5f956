from contracts.engine_contract import check_engine

from understudy.engines.rigid.engine import RigidEngine


def test_the_rigid_engine_fulfils_the_contract():
    check_engine(RigidEngine)
